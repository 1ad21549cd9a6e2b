"""`rankings`: strengths, scores and reliability of a file, or the row that is wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

RANKINGS = "set,rater,item,rank\n" + "".join(
    f"s{at % 3},{at},{item},{place}\n"
    for at, order in enumerate(["abc", "acb", "bac", "cab", "abc", "bca"])
    for place, item in enumerate(order, start=1)
)
CHOICES = "set,rater,item,choice\ns,1,a,best\ns,1,b,\ns,1,c,worst\ns,2,a,best\ns,2,b,worst\ns,2,c,\n"


def rankings(path: Path, text: str, *options: str) -> str:
    path.write_text(text, encoding="utf-8")
    out = io.StringIO()
    call_command("rankings", str(path), "--seed=1", *options, stdout=out)
    return out.getvalue()


def test_rankings_have_strengths_with_errors_and_choices_have_scores(tmp_path):
    found = json.loads(rankings(tmp_path / "rankings.csv", RANKINGS, "--json=-"))
    rows = {row["item"]: row for row in found["results"]}
    assert next(row["item"] for row in found["results"]) == "a"
    assert sum(row["strength"] for row in rows.values()) == pytest.approx(0)
    assert all(row["low"] < row["strength"] < row["high"] for row in rows.values())
    chosen = json.loads(rankings(tmp_path / "choices.csv", CHOICES, "--json=-"))
    assert {row["item"]: row["score"] for row in chosen["results"]} == {"a": 1, "b": -0.5, "c": -0.5}
    assert chosen["strengths"] == {"log_likelihood": None, "reason": "not_connected", "blocking": ["a"]}


def test_best_worst_choices_have_strengths_where_each_item_was_below_another(tmp_path):
    rows = [("1", "a", "c"), ("2", "a", "b"), ("3", "b", "c"), ("4", "c", "a"), ("5", "a", "c")]
    lines = [
        f"s,{rater},{item},{'best' if item == best else 'worst' if item == worst else ''}\n"
        for rater, best, worst in rows
        for item in "abc"
    ]
    found = json.loads(rankings(tmp_path / "c.csv", "set,rater,item,choice\n" + "".join(lines), "--json=-"))
    strengths = {row["item"]: row["strength"] for row in found["results"]}
    assert strengths["a"] > strengths["b"] > strengths["c"]
    assert sum(strengths.values()) == pytest.approx(0)
    assert all(row["low"] < row["strength"] < row["high"] for row in found["results"])


def test_a_published_file_has_its_items_best_and_worst_in_one_row(tmp_path):
    rows = ["x,y,z,w,x,w", "w,z,y,x,x,z", "x,y,z,v,y,x"]
    text = "\n".join(["Item1,Item2,Item3,Item4,BestItem,WorstItem", *rows]) + "\n"
    found = json.loads(rankings(tmp_path / "published.csv", text, "--json=-"))
    scores = {row["item"]: (row["n"], round(3 * row["score"], 6)) for row in found["results"]}
    assert scores == {"x": (3, 1), "y": (3, 1), "z": (3, -1), "v": (1, 0), "w": (2, -1.5)}
    wrong = "item1,item2,item3,best,worst,rater\na,b,c,a,c,R\na,b,c,d,c,S\n"
    with pytest.raises(CommandError, match=r"row 3: .*best.* \[unknown_item\]"):
        rankings(tmp_path / "wrong.csv", wrong)
    both = "item1,item2,item3,best,worst,rater\na,b,c,a,a,R\n"
    with pytest.raises(CommandError, match=r"row 2: columns best and worst: .*\[not_one_best_and_worst\]"):
        rankings(tmp_path / "both.csv", both)
    misspelt = "item1,item2,item3,best,wurst\na,b,c,a,c\n"
    with pytest.raises(CommandError, match=r"no column worst\..*\[missing_column\]"):
        rankings(tmp_path / "misspelt.csv", misspelt)


def test_an_item_that_always_came_first_is_named(tmp_path):
    text = "set,item,rank\ns,a,1\ns,b,2\ns,c,3\nt,a,1\nt,c,2\nt,b,3\n"
    printed = rankings(tmp_path / "first.csv", text)
    assert "No other item was ever ranked above: a." in printed


def test_tied_ranks_are_refused_by_their_row(tmp_path):
    with pytest.raises(CommandError, match=r"row 3: .* \[tied_ranks\]") as caught:
        rankings(tmp_path / "tied.csv", "set,item,rank\ns,a,1\ns,b,1\n")
    assert caught.value.returncode == 2


def test_halves_that_contradict_each_other_have_no_reliability_of_all_answers(tmp_path):
    opposed = "set,rater,item,rank\n" + "".join(
        f"s,{rater},{item},{place}\n"
        for rater, order in (("x", "abc"), ("y", "cba"))
        for place, item in enumerate(order, start=1)
    )
    printed = rankings(tmp_path / "opposed.csv", opposed)
    assert "mean Spearman -1.000 (standard deviation 0.000) over 100 random halves, none for all" in printed
    assert "negative reliability" in printed
    halves = json.loads(rankings(tmp_path / "opposed.csv", opposed, "--json=-"))["split_halves"]
    assert halves["corrected"] is None


def test_one_split_is_refused_by_the_name_of_its_option(tmp_path):
    with pytest.raises(CommandError, match=r"--splits.*\["):
        rankings(tmp_path / "rankings.csv", RANKINGS, "--splits=1")
