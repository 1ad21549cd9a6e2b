"""Types that every part of the program uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Row = dict[str, Any]
Statistic = Callable[[Array], Array]
Level = Literal["nominal", "ordinal", "interval"]
