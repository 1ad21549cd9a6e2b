"""Where an installation without `GROUNDWORK_VAR` keeps its data."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.settings.env import SettingError, folder
from config.settings.places import ROOT, data_folder


def test_a_checkout_keeps_its_data_next_to_the_code(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert data_folder(is_checkout=True) == ROOT / "var"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/home/ada/data", "/home/ada/data/groundwork"),
        ("", "/home/ada/.local/share/groundwork"),
        ("data", "/home/ada/.local/share/groundwork"),
    ],
    ids=["named", "not named", "a relative path is ignored, as XDG says"],
)
def test_a_wheel_keeps_its_data_in_the_user_s_folder_for_data(monkeypatch, given, expected):
    monkeypatch.delenv("GROUNDWORK_VAR", raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", given)
    assert folder("GROUNDWORK_VAR", data_folder(is_checkout=False)) == Path(expected)


def test_a_home_that_is_not_known_is_refused_by_the_name_of_the_setting(monkeypatch):
    monkeypatch.setenv("GROUNDWORK_VAR", "~nobody-of-this-name/data")
    with pytest.raises(SettingError, match="GROUNDWORK_VAR is '~nobody-of-this-name/data'"):
        folder("GROUNDWORK_VAR", ROOT / "var")
