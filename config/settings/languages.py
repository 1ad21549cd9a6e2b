"""The interface languages on offer: English, and every language that has a catalogue of ours."""

from __future__ import annotations

from pathlib import Path

from django.conf.locale import LANG_INFO
from django.utils.translation import to_language, to_locale

CATALOGUE = Path("LC_MESSAGES") / "django.mo"
SOURCE = ("en", "English")


def offered(catalogues: Path) -> list[tuple[str, str]]:
    """Read the languages of the interface from the compiled catalogues in a folder.

    Parameters
    ----------
    catalogues : Path
        With one folder per language, named as gettext names it: ``ja``, ``zh_Hans``.

    Returns
    -------
    list of (str, str)
        Code and own name of each language. English comes first: it is what the source is written in.
    """
    found = sorted(path.parent.parent.name for path in catalogues.glob(f"*/{CATALOGUE}"))
    codes = [to_language(name) for name in found if to_locale(to_language(name)) == name]
    return [SOURCE, *((code, _own_name(code)) for code in codes if code != SOURCE[0])]


def _own_name(code: str) -> str:
    return str(LANG_INFO.get(code, {}).get("name_local", code))
