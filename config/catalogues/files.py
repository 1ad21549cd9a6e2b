"""The catalogues of the interface: one folder per language, with what people edit and what Django reads."""

from __future__ import annotations

import io
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings

WRITTEN = Path("LC_MESSAGES") / "django.po"
COMPILED = Path("LC_MESSAGES") / "django.mo"
WIDTH = 100
HEADER = "# Groundwork: what raters read."


def languages(folder: Path | None = None) -> list[str]:
    """List the languages that have a catalogue, as gettext names them."""
    return sorted(path.parent.parent.name for path in (folder or _folder()).glob(f"*/{WRITTEN}"))


def new_catalogue(language: str) -> Catalog:
    """Begin the translations into a language, named as gettext names it: `de`, `zh_Hant`."""
    return Catalog(
        locale=language,
        header_comment=HEADER,
        project="Groundwork",
        version=" ",
        msgid_bugs_address=" ",
        last_translator=" ",
        language_team=" ",
        charset="utf-8",
        fuzzy=False,
    )


def untranslated(catalogue: Catalog) -> list[str]:
    """List the sentences that have no translation, or one that a translator has to review."""
    return [str(one.id) for one in catalogue if one.id and (one.fuzzy or not _is_translated(one))]


def read_catalogue(language: str) -> Catalog:
    """Read the translations into a language from its `.po` file."""
    with (_folder() / language / WRITTEN).open("rb") as file:
        return read_po(file, locale=language)


def update(catalogue: Catalog, sources: Catalog) -> Catalog:
    """Keep the translations of what the sources say, leave out what they no longer say, add what is new.

    Nothing is guessed from similar sentences: a new one stays untranslated until a translator adds it.

    Parameters
    ----------
    catalogue : Catalog
        With the translations so far; it is changed.
    sources : Catalog
        The sentences of the sources.
    """
    catalogue.update(sources, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """Return the `.po` file of a catalogue: sorted, so that a change shows as itself."""
    file = io.BytesIO()
    write_po(file, catalogue, width=WIDTH, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return the `.mo` file of a catalogue."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def store(language: str, catalogue: Catalog) -> None:
    """Write both files of a language; one that is not whole is not compiled, and so not offered."""
    place = _folder() / language
    (place / WRITTEN).parent.mkdir(parents=True, exist_ok=True)
    (place / WRITTEN).write_bytes(written(catalogue))
    if untranslated(catalogue):
        (place / COMPILED).unlink(missing_ok=True)
    else:
        (place / COMPILED).write_bytes(compiled(catalogue))


def stored(language: str) -> tuple[bytes, bytes]:
    """Return both files of a language as they are, `.po` and `.mo`."""
    place = _folder() / language
    return (place / WRITTEN).read_bytes(), (place / COMPILED).read_bytes()


def _is_translated(one: Message) -> bool:
    return all(one.string) if isinstance(one.string, tuple) else bool(one.string)


def _folder() -> Path:
    return Path(settings.LOCALE_PATHS[0])
