"""Where the published data sets are, next to the checkout."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA_FOLDERS = (
    *(Path(folder) for folder in [os.environ.get("GROUNDWORK_DATA")] if folder),
    ROOT.parent / "shared" / "data",
    ROOT / "shared" / "data",
)


def find_published_data() -> Path | None:
    return next((folder for folder in DATA_FOLDERS if folder.is_dir()), None)
