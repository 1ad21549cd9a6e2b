"""`power`: the plan of a page from the command line, without a database."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from scoring.services.metrics.power_fields import OF_QUESTION

SMALL = ("--items=10,20", "--raters=2", "--pool=4", "--studies=20")


def printed(*arguments: str) -> str:
    out = io.StringIO()
    call_command("power", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("question", OF_QUESTION)
def test_every_question_can_be_planned(question: str) -> None:
    found = json.loads(printed(question, *SMALL, "--seed=3", "--json=-"))
    assert [(row["items"], row["raters"]) for row in found["designs"]] == [(10, 2), (20, 2)]
    assert found["method"]["seed"] == 3


def test_the_table_has_a_line_for_each_design_and_the_share_without_effect() -> None:
    lines = printed("pairs", "--preferred=0.8", *SMALL).splitlines()
    assert lines[0].split()[:5] == ["items", "raters", "pool", "ratings", "power"]
    assert lines[1].split()[:4] == ["10", "2", "4", "20"]
    assert "nothing to find" in lines[-1]


@pytest.mark.parametrize(
    "arguments", [("pairs", "--preferred=2"), ("systems", "--seed=-1"), ("best_worst", "--size=9")]
)
def test_a_number_out_of_its_range_ends_with_status_2(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as refused:
        printed(*arguments, *SMALL)
    assert refused.value.returncode == 2
