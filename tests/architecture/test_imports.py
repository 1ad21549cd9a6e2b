"""What the web process loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LOAD_EVERYTHING = """
import sys
import config.wsgi
from django.urls import get_resolver

def visit(resolver):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            visit(pattern)
        else:
            assert callable(pattern.callback)

visit(get_resolver())
print(*sorted({"torch", "transformers"} & {name.partition(".")[0] for name in sys.modules}))
"""


def test_the_web_process_loads_neither_torch_nor_transformers():
    result = subprocess.run(
        [sys.executable, "-c", LOAD_EVERYTHING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == []
