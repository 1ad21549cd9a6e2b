"""Paths of pages, style sheets and data, in a checkout and in an installed wheel."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Only a wheel has this folder. It is asked for first: `site-packages` may hold `templates` of others.
PACKED = ROOT / "config" / "web"
IS_CHECKOUT = not PACKED.is_dir()
WEB = ROOT if IS_CHECKOUT else PACKED
# Of the embedded settings. Also looked for by others: a database may have been made with them.
CACHE_TABLE = "groundwork_cache"


def data_folder(*, is_checkout: bool = IS_CHECKOUT) -> Path:
    """Name the folder for data where `GROUNDWORK_VAR` names none.

    Parameters
    ----------
    is_checkout : bool
        Whether the code runs from a checkout, whose folder an upgrade does not replace.

    Returns
    -------
    Path
        `var` in a checkout; otherwise `groundwork` in the user's folder for data, as the XDG Base
        Directory Specification has it. A leading `~` is not expanded yet.
    """
    if is_checkout:
        return ROOT / "var"
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (given if given.is_absolute() else Path("~/.local/share")) / "groundwork"
