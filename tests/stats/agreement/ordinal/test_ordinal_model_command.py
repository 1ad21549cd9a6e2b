"""`ordinal_model`: adjusted means and severities; what cannot be fitted is named with its reason."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from tests.stats.agreement.ordinal.designs import DESIGNS, simulated


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ratings = simulated(DESIGNS["complete"])
    constant = ratings.assign(criterion="length", value=2)
    path = tmp_path_factory.mktemp("ratings") / "ratings.csv"
    pd.concat([ratings, constant]).to_csv(path, index=False)
    return path


def printed(path: Path, *options: str) -> str:
    out = io.StringIO()
    call_command("ordinal_model", str(path), *options, stdout=out)
    return out.getvalue()


def test_every_system_rater_and_difference_is_printed_and_a_refusal_has_its_code(file: Path) -> None:
    text = printed(file)
    assert "quality: 360 ratings by 6 raters" in text
    assert all(f"system {code} " in text for code in range(3))
    assert text.count("system 0 − ") == 2
    assert all(f"R-{code:02}" in text for code in range(6))
    assert "length: no model: all ratings are equal: there is nothing to explain [constant_ratings]" in text


def test_json_has_the_figures_that_are_printed(file: Path) -> None:
    result: dict[str, Any] = json.loads(printed(file, "--json=-"))
    (model,), (refused,) = result["models"], result["refused"]
    assert (refused["criterion"], refused["reason"]) == ("length", "constant_ratings")
    assert sum(one["ratings"] for one in model["systems"]) == 360
    text = printed(file)
    assert all(f"{one['adjusted']['value']:.3f}" in text for one in model["systems"])
    assert all(f"{one['severity']['value']:+.3f}" in text for one in model["raters"])
    assert model["estimated_as_0"] == []


def test_slots_are_no_raters(tmp_path: Path) -> None:
    path = tmp_path / "slots.csv"
    simulated(DESIGNS["complete"]).rename(columns={"rater": "slot"}).to_csv(path, index=False)
    with pytest.raises(CommandError, match=r"a column rater that names persons\. \[anonymous_raters\]"):
        printed(path)
