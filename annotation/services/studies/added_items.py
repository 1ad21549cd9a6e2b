"""Items for a study in any state that takes them; in an open one they get their rating slots at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotation.models import ImportFile, Item, Study, Upload, User
from annotation.services.base.jobs import Lease
from annotation.services.base.uploads.senders import check_sender_of_items
from annotation.services.items import item_files, rating_files, sent_files
from annotation.services.items.item_storage import GiveSlots
from annotation.services.seats.pairing_setup import check_new_pairs, refuse_ended_pairs
from annotation.services.seats.seat_creation import make_seats_of_new_items
from annotation.services.seats.stages import decide_items
from annotation.services.studies.texts.item_texts import check_texts


def give_slots(study: Study, items: Sequence[Item]) -> None:
    """Create the rating slots of items that were just added to an open or paused study.

    Parameters
    ----------
    study : Study
        Locked by the caller's transaction.
    items : sequence of Item
        New ones, in their order.

    Raises
    ------
    NotAllowedNow
        An item lacks a text that a form shows (`items_without_text`), or adaptive pairs cannot go on
        with the new items (`pairs_not_connected`, `too_many_pairs`, `pairs_ended`).
    InvalidContent
        The new items cannot be divided into batches of the study's size.
    """
    check_texts(study)
    if items:
        refuse_ended_pairs(study)
    check_new_pairs(study)
    make_seats_of_new_items(study=study, items=items)
    decide_items(study=study, items=[item.pk for item in items])


def import_items(
    *, study: Study, path: Path, name: str = "", file_format: str = "", actor: User | None = None
) -> int:
    """Add the items of a file; see `annotation.services.items.rating_files.import_items`."""
    return rating_files.import_items(
        study=study, path=path, name=name, file_format=file_format, actor=actor, give_slots=give_slots
    )


def take_items(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Add the items of a file that was sent."""
    return sent_files.take_items(upload=upload, path=path, give_slots=_slots_if_sent_by(upload.created_by))


def store_file(*, lease: Lease) -> ImportFile:
    """Store the items of a file whose columns are known; the job `import_items`."""
    return item_files.store_file(lease=lease, give_slots=_slots_if_sent_by(lease.job.created_by))


def _slots_if_sent_by(sender: User | None) -> GiveSlots:
    """`give_slots` for a sender who may add items to the study as it is now, under its lock."""

    def give(study: Study, items: Sequence[Item]) -> None:
        check_sender_of_items(study, sender)
        give_slots(study, items)

    return give
