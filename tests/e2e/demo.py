"""The running demo of the browser tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.installation import Installation


@dataclass
class Demo:
    """A running demo: its first address and the rater's link."""

    url: str
    link: str
    installation: Installation

    def call(self, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """What a function of a module of tests returns in the demo's installation, as JSON."""
        script = (
            f"import json; from {function.__module__} import {function.__name__}; "
            f'print("FOUND" + json.dumps({function.__name__}(*{list(arguments)!r})))'
        )
        found: dict[str, Any] = json.loads(self.installation.run_script(script).partition("FOUND")[2])
        return found
