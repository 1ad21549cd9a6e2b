"""The settings of models: a wrong one names its variable and what it accepts."""

from __future__ import annotations

import pytest

from config.settings import env

ROLES = ("nli", "sentiment")


def test_checkpoints_are_read_by_role(monkeypatch):
    monkeypatch.setenv("CHECKPOINTS", "nli=org/name@abc, sentiment = /models/mine")
    assert env.assigned("CHECKPOINTS", ROLES) == {"nli": "org/name@abc", "sentiment": "/models/mine"}
    monkeypatch.setenv("CHECKPOINTS", "")
    assert env.assigned("CHECKPOINTS", ROLES) == {}


@pytest.mark.parametrize("wrong", ["org/name", "oracle=org/name", "nli="])
def test_a_checkpoint_without_its_role_is_refused(monkeypatch, wrong):
    monkeypatch.setenv("CHECKPOINTS", wrong)
    with pytest.raises(env.SettingError, match="it accepts KEY=VALUE, with keys of nli, sentiment"):
        env.assigned("CHECKPOINTS", ROLES)


def test_a_choice_is_one_of_those_offered(monkeypatch):
    assert env.choice("PRECISION", ("fp32", "bf16"), "fp32") == "fp32"
    monkeypatch.setenv("PRECISION", "fp8")
    with pytest.raises(env.SettingError, match="PRECISION is 'fp8': it accepts fp32 or bf16"):
        env.choice("PRECISION", ("fp32", "bf16"), "fp32")
