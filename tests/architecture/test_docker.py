"""The images can be built from what the repository has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_path_that_an_image_copies_is_in_the_repository():
    text = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
    sources = [
        name
        for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)
        for name in line.split()[:-1]
    ]
    assert sources
    tracked = [
        name
        for name in sources
        if subprocess.run(["git", "ls-files", "--", name], cwd=ROOT, capture_output=True, check=True).stdout
    ]
    assert tracked == sources
