"""The pictures of demo items, drawn when a demo study is created."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw

from annotation.io.items.media.reading import Description, prepare
from annotation.io.items.media.unpacking import Room
from annotation.models import Study, User
from annotation.protocols.template import DemoPicture
from annotation.services.items.media.storing import remaining_bytes, store_media

SIZE = (720, 420)


def add_demo_pictures(*, study: Study, pictures: Sequence[DemoPicture], actor: User) -> None:
    """Draw and store the pictures of a protocol with their descriptions.

    Parameters
    ----------
    study : Study
        A draft.
    pictures : sequence of DemoPicture
        Of the protocol.
    actor : User
        User who creates the study.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        drawn = [_draw(one, folder) for one in pictures]
        (folder / "prepared").mkdir()
        room = remaining_bytes(study)
        prepared = prepare(drawn, folder / "prepared", Room(room, room), SIZE[0] * SIZE[1])
        prepared.descriptions = {one.name: Description(alt=one.alt) for one in pictures}
        store_media(study=study, prepared=prepared, actor=actor)


def _draw(picture: DemoPicture, folder: Path) -> Path:
    image = Image.new("RGB", SIZE, picture.ground)
    pen = ImageDraw.Draw(image)
    for shape in picture.shapes:
        getattr(pen, shape.kind)(shape.points, fill=shape.colour)
    path = folder / picture.name
    image.save(path)
    return path
