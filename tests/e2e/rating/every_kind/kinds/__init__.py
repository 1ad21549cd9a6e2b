"""The kinds of questions that are tested in the browser, a module each; its name is that of the kind."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from tests.e2e.rating.every_kind.kind_case import KindCase

CASES: Mapping[str, KindCase] = {
    name: importlib.import_module(f"{__name__}.{name}").CASE for _, name, _ in pkgutil.iter_modules(__path__)
}
