"""Whether R is there, with the packages of the documented examples."""

from __future__ import annotations

import shutil
import subprocess


def has_httr2() -> bool:
    if shutil.which("Rscript") is None:
        return False
    loaded = subprocess.run(["Rscript", "-e", "library(httr2)"], capture_output=True, check=False)
    return loaded.returncode == 0
