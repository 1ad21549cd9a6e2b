"""The media files of a study, and what of them is missing before raters may see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from annotation.domain.base.codebook import MEDIA
from annotation.domain.items.media import lacks_text_alternative, media_blocks
from annotation.domain.questions.background_text import files_in
from annotation.models import BackgroundPage, FormVersion, Item, MediaFile, Study
from annotation.selectors.base.table_types import Table


@dataclass
class MediaGaps:
    """Reasons why files that items name cannot be shown, by the names of the files.

    `missing` are not there, `other_kind` are there but of another kind than the form shows, `wordless` lack a
    description or a transcript.
    """

    missing: list[str] = field(default_factory=list)
    other_kind: list[str] = field(default_factory=list)
    wordless: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.missing or self.other_kind or self.wordless)


def files_of(study: Study) -> QuerySet[MediaFile]:
    """The media files of a study by their names."""
    return study.media_files.order_by("name")


def media_table(study: Study) -> Table:
    """The media files, one row each, with their checksums."""
    rows = (
        {"study": study.slug, "file": one.name} | {name: getattr(one, name) for name in tuple(MEDIA)[2:]}
        for one in files_of(study).iterator(chunk_size=1000)
    )
    return tuple(MEDIA), rows


def shows_media(study: Study) -> bool:
    """Whether a form of the study shows files."""
    versions = FormVersion.objects.filter(form__study=study).values_list("blocks", flat=True)
    return any(media_blocks(blocks) for blocks in versions)


def named_files(study: Study) -> Iterator[tuple[str, str]]:
    """The names of files in the items of a study, each with the kind that a form shows it as.

    Parameters
    ----------
    study : Study
        Its forms' newest versions count, with their practice items and examples. Texts of guides show a file
        as what it is: the kind is empty.
    """
    newest = _newest(study)
    yield from ((name, "") for name in _in_guides(study, newest))
    shown = {(block["field"], block["role"]) for one in newest for block in media_blocks(one.blocks)}
    if not shown:
        return
    for version in newest:
        practised = {one["field"]: one["text"] for one in version.practice}
        yield from ((practised[name], role) for name, role in sorted(shown) if practised.get(name))
    # Calibration items too, which are no items of the study.
    for fields in (
        Item.everything.filter(study=study).order_by("position").values_list("fields", flat=True).iterator()
    ):
        yield from ((fields[name], role) for name, role in sorted(shown) if fields.get(name))


def guide_files(study: Study) -> list[str]:
    """The names of files in worked examples and background pages of a study, in all languages.

    Parameters
    ----------
    study : Study
        Its forms' newest versions count.
    """
    return _in_guides(study, _newest(study))


def _newest(study: Study) -> list[FormVersion]:
    return [form.versions.latest("number", "correction") for form in study.forms.all()]


def _in_guides(study: Study, versions: Iterable[FormVersion]) -> list[str]:
    texts: list[str] = []
    for version in versions:
        example_lists = [
            version.examples,
            *(one.get("examples", []) for one in version.translations.values()),
        ]
        texts += [example.get("text", "") for examples in example_lists for example in examples]
    for page in BackgroundPage.objects.filter(qualification__study=study):
        texts += [page.text, *(one.get("text", "") for one in page.translations.values())]
    return list(dict.fromkeys(name for text in texts for name in files_in(text)))


def media_gaps(study: Study) -> MediaGaps:
    """What is missing before a study with media can open.

    Parameters
    ----------
    study : Study
        With its items, forms and files.
    """
    gaps, named = MediaGaps(), dict.fromkeys(named_files(study))
    if not named:
        return gaps
    known = {one.name: one for one in study.media_files.all()}
    for name, role in named:
        file = known.get(name)
        if file is None:
            gaps.missing.append(name)
        elif role and file.kind != role:
            gaps.other_kind.append(name)
        elif lacks_text_alternative(file.kind, file.alt, file.transcript):
            gaps.wordless.append(name)
    return gaps


def with_files(study_id: int, blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Blocks of a page with the files that they name, as `media`; None where the study has no such file.

    Parameters
    ----------
    study_id : int
        The study.
    blocks : sequence of dict
        Blocks; those that show a file name it as `file`.
    """
    names = {block["file"] for block in blocks if block.get("file")}
    found: Mapping[str, MediaFile] = files_named(study_id, names)
    return [{**block, "media": found.get(block["file"])} if block.get("file") else block for block in blocks]


def files_named(study_id: int, names: Iterable[str]) -> dict[str, MediaFile]:
    """The files of a study that have some names, by these."""
    wanted = set(names)
    if not wanted:
        return {}
    return {one.name: one for one in MediaFile.objects.filter(study=study_id, name__in=wanted)}
