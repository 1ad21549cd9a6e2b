"""The record and the choices of the commands that look at all pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.walk import record
from tests.e2e.walk.choice import Choice, View, choice_of

HOME = View("home", "en", "desktop", "light")
PAY = View("study-pay", "en", "phone", "dark")


def test_a_resumed_walk_leaves_out_what_was_shown_and_tries_again_what_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record, "VAR", tmp_path / "var")
    monkeypatch.setattr(record, "FOLDER", tmp_path / "var" / "walk")
    first = record.Record("accessibility", resume=False)
    first.add(HOME, ["color-contrast: p"])
    first.add(PAY, ["not shown: Timeout"], failed=True)
    resumed = record.Record("accessibility", resume=True)
    assert HOME in resumed
    assert PAY not in resumed
    resumed.add(PAY, [])
    assert resumed.summary() == 1
    assert "2 views, 1 with problems" in capsys.readouterr().out
    assert HOME not in record.Record("accessibility", resume=False)


def test_a_walk_can_be_restricted(capsys: pytest.CaptureFixture[str]) -> None:
    choice = choice_of(["researchers", "zh", "--pages", "^study-", "--windows", "phone"], "")
    assert choice.views("home", "zh") == []
    assert choice.views("study-pay", "zh") == [
        View("study-pay", "zh", "phone", "light"),
        View("study-pay", "zh", "phone", "dark"),
    ]
    assert choice.sides == ["researchers"]
    assert len(Choice().views("home", "ja")) == 4
    with pytest.raises(SystemExit):
        choice_of(["researcher"], "")
    assert "researcher: choose from raters, researchers, en, zh, ja" in capsys.readouterr().err
