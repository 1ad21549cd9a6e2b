"""Media files of a study: stored with their rows, described and removed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from annotation.domain.base.errors import FileProblem, FileRefused, InvalidContent, NotAllowedNow
from annotation.domain.base.limits import LONGEST_MEDIA_WORDS, MOST_MEDIA_FILES
from annotation.domain.base.messages import message
from annotation.domain.base.states import StudyState
from annotation.domain.items.media import AUDIO, IMAGE, VIDEO
from annotation.io.base.cells import too_many_characters
from annotation.io.items.media import stored
from annotation.io.items.media.reading import ADDRESS, Description, PreparedFile, PreparedFiles
from annotation.models import MediaFile, Study, User
from annotation.models.items.media_file import media_folder
from annotation.services.base import audit
from annotation.services.base.drafts import lock_draft, refuse_if_it_takes_no_items

IN_DRAFTS = message("You can only change or remove media files while the study is a draft.")
CHUNK_SIZE = 500
# Names of replaced files that the audit log lists.
MOST_NAMES = 5
CHANGEABLE = (
    *("kind", "mime", "size", "sha256", "sent_sha256", "address", "width", "height", "seconds"),
    *("alt", "transcript"),
)
# Kinds by the ending of an address: files on other servers are not read.
KINDS = {
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp"), IMAGE),
    **dict.fromkeys(("mp3", "wav", "ogg", "oga", "opus", "flac", "m4a"), AUDIO),
    **dict.fromkeys(("mp4", "webm"), VIDEO),
}


@dataclass(frozen=True)
class StoredMedia:
    """The numbers of files that were added and that were described."""

    added: int
    described: int


def remaining_bytes(study: Study) -> int:
    """Remaining bytes of media that the study can store."""
    held = study.media_files.aggregate(held=Sum("size"))["held"] or 0
    return max(0, int(settings.MEDIA_STUDY_BYTES) - held)


def store_media(
    *, study: Study, prepared: PreparedFiles, actor: User | None, clears: bool = False
) -> StoredMedia:
    """Store media files, and descriptions from a table; all of it or nothing.

    A file of the same name is replaced, and words are changed, while the study is a draft. Later, files of
    new names and words for files without any can be added.

    Parameters
    ----------
    study : Study
        A draft, open or paused.
    prepared : PreparedFiles
        From `annotation.io.items.media.reading`.
    actor : User or None
        User who sends them; None on the command line.
    clears : bool
        Empty words replace those there are; otherwise they leave them.

    Raises
    ------
    NotAllowedNow
        The study takes no items (`takes_no_items`), or what is there would change (`not_a_draft`).
    FileRefused
        `media_too_much`, `too_many_files`, `no_such_media`, `bad_media_address`.
    """
    try:
        write_contents(study.pk, prepared)
        with transaction.atomic():
            study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
            refuse_if_it_takes_no_items(study)
            table = _Table(study)
            for file in prepared.files:
                table.take_file(file)
            for name, description in prepared.descriptions.items():
                table.describe(name, description, clears=clears)
            table.check()
            # They are stored, unless another request has deleted the same content meanwhile.
            write_contents(study.pk, prepared)
            table.save()
            added, described = len(table.added), len(table.described)
            detail = {"count": added, "described": described, **table.replaced_names()}
            audit.record(study=study, actor=actor, act="add_media", **detail)
    except BaseException:
        delete_unused(study.pk, {file.sha256 for file in prepared.files})
        raise
    return StoredMedia(added, described)


def write_contents(study_id: int, prepared: PreparedFiles) -> None:
    """Write contents that are not there yet, under their digests; before the transaction of their rows.

    Parameters
    ----------
    study_id : int
        The study.
    prepared : PreparedFiles
        Whose files.
    """
    for file in prepared.files:
        stored.write(f"{media_folder(study_id)}/{file.sha256}", file.path)


def remove_media(*, study: Study, name: str, actor: User) -> None:
    """Remove a media file of a draft; items that name it lack it then.

    Parameters
    ----------
    study, name, actor
        The study, the name of the file, and who removes it.

    Raises
    ------
    NotAllowedNow
        The study is no draft (`not_a_draft`).
    """
    with transaction.atomic():
        study = lock_draft(study.pk, IN_DRAFTS)
        file = study.media_files.filter(name=name).first()
        if file is None:
            return
        file.delete()
        _delete_when_committed(study, {file.sha256})
        audit.record(study=study, actor=actor, act="remove_media", file=name)


def describe_media(*, study: Study, name: str, alt: str, transcript: str, actor: User) -> None:
    """Save the description and the transcript of a media file; see `store_media` for when they may change.

    A draft's words are cleared by empty ones.

    Parameters
    ----------
    study, name, actor
        The study, the name of the file, and who describes it.
    alt, transcript : str
        The words.

    Raises
    ------
    NotAllowedNow
        As `store_media`.
    InvalidContent
        They are too long (`too_long`).
    """
    given = Description(alt.strip(), transcript.strip())
    longest = max(given.alt, given.transcript, key=len)
    if len(longest) > LONGEST_MEDIA_WORDS:
        raise InvalidContent(too_many_characters(longest, LONGEST_MEDIA_WORDS), code="too_long")
    words = PreparedFiles(descriptions={name: given})
    store_media(study=study, prepared=words, actor=actor, clears=True)


class _Table:
    """The media rows of a study after the change, and the problems of the sent files and table."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.is_draft = study.state == StudyState.DRAFT
        self.rows = {one.name: one for one in study.media_files.all()}
        self.added: set[str] = set()
        self.described: set[str] = set()
        self.replaced: dict[str, str] = {}
        self.problems: list[FileProblem] = []

    def take_file(self, file: PreparedFile) -> None:
        row = self.rows.get(file.name)
        if row is not None and row.sha256 == file.sha256:
            return
        if row is not None:
            self._refuse_unless_draft()
            self.replaced[file.name] = row.sha256
        row = self.rows.setdefault(file.name, MediaFile(study=self.study, name=file.name))
        for name in ("kind", "mime", "size", "sha256", "sent_sha256", "width", "height", "seconds"):
            setattr(row, name, getattr(file, name))
        row.address = ""
        self.added.add(file.name)

    def describe(self, name: str, given: Description, *, clears: bool) -> None:
        row = self.rows.get(name)
        if row is None and given.address:
            row = self._elsewhere(name, given.address)
        if row is None:
            sentence = message("the study has no media file of this name, and none was sent")
            self.problems.append(FileProblem(name, 0, "", "no_such_media", sentence))
            return
        for field, words in (("alt", given.alt), ("transcript", given.transcript)):
            before = getattr(row, field)
            if words == before or not (words or clears):
                continue
            if before:
                self._refuse_unless_draft()
            setattr(row, field, words)
            self.described.add(name)

    def check(self) -> None:
        if len(self.rows) > MOST_MEDIA_FILES:
            sentence = message("a study has at most %(n)s media files", n=f"{MOST_MEDIA_FILES:,}")
            self.problems.append(FileProblem(self.study.slug, 0, "", "too_many_files", sentence))
        if sum(one.size for one in self.rows.values()) > settings.MEDIA_STUDY_BYTES:
            sentence = message("the files are larger than what is left for the media of this study")
            self.problems.append(FileProblem(self.study.slug, 0, "", "media_too_much", sentence))
        if self.problems:
            raise FileRefused(self.problems)

    def save(self) -> None:
        new = [one for one in self.rows.values() if one._state.adding]
        changed = [
            self.rows[name] for name in self.added | self.described if not self.rows[name]._state.adding
        ]
        MediaFile.objects.bulk_create(new, batch_size=CHUNK_SIZE)
        MediaFile.objects.bulk_update(changed, CHANGEABLE, batch_size=CHUNK_SIZE)
        _delete_when_committed(self.study, set(self.replaced.values()))

    def replaced_names(self) -> dict[str, list[str]]:
        """The first names of replaced files, as the audit log has them."""
        return {"replaced": sorted(self.replaced)[:MOST_NAMES]} if self.replaced else {}

    def _elsewhere(self, name: str, address: str) -> MediaFile | None:
        """Add a file on another server from which raters' browsers may load."""
        try:
            there = urlsplit(address)
        except ValueError:  # a bracket that is no IPv6 address
            there = urlsplit("")
        kind = KINDS.get(there.path.rpartition(".")[2].lower())
        if there.scheme != "https" or there.netloc not in settings.MEDIA_HOSTS or kind is None:
            sentence = message(
                "the address must begin with https://, be on a server that this installation allows "
                "(%(hosts)s), and end as a media file does, such as .png or .mp3",
                hosts=", ".join(settings.MEDIA_HOSTS) or "–",
            )
            self.problems.append(FileProblem(name, 0, ADDRESS, "bad_media_address", sentence))
            # This row only collects its texts and is not stored.
            return MediaFile(study=self.study, name=name)
        row = MediaFile(study=self.study, name=name, kind=kind, address=address)
        self.rows[name] = row
        self.added.add(name)
        return row

    def _refuse_unless_draft(self) -> None:
        if not self.is_draft:
            raise NotAllowedNow(IN_DRAFTS, code="not_a_draft")


def delete_unused(study_id: int, digests: Collection[str]) -> None:
    """Delete contents that no media file of a study has, under the lock under which files are stored.

    Parameters
    ----------
    study_id : int
        The study; one that is deleted has no files.
    digests : collection of str
        Of the contents; those in use stay.
    """
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).filter(pk=study_id).first()
        used = MediaFile.objects.filter(study=study_id, sha256__in=digests).values_list("sha256", flat=True)
        for digest in set(digests) - {""} - set(used):
            stored.delete(f"{media_folder(study_id)}/{digest}")


def _delete_when_committed(study: Study, digests: Collection[str]) -> None:
    if digests:
        transaction.on_commit(lambda: delete_unused(study.pk, digests))


def delete_media_of(study: Study) -> None:
    """Delete the stored media of a study; their rows stay.

    Parameters
    ----------
    study : Study
        One that is being deleted.
    """
    stored.delete_folder(media_folder(study.pk))


def delete_media_with(study: Study) -> None:
    """Delete the stored media of a study, once the transaction is committed that deletes it.

    Parameters
    ----------
    study : Study
        A draft.
    """
    folder = media_folder(study.pk)
    transaction.on_commit(lambda: stored.delete_folder(folder))
