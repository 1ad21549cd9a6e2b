"""`models check`: what can be used, what is missing, and status 2 for a profile that cannot be used."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings


def output_of(*arguments: str) -> str:
    out = io.StringIO()
    call_command("models", *arguments, stdout=out)
    return out.getvalue()


def test_all_profiles_are_listed_with_what_is_missing(tmp_path):
    with override_settings(MODEL_FOLDER=tmp_path):
        text = output_of("check")
    assert "profile embedded" in text
    assert text.count("files found") == 8
    assert text.count("[checkpoint_missing]") == 4
    assert "models fetch" in text


def test_a_profile_that_cannot_be_used_ends_with_status_2(tmp_path):
    output_of("check", "--profile", "embedded")
    with override_settings(MODEL_FOLDER=tmp_path), pytest.raises(CommandError) as caught:
        output_of("check", "--profile", "paper")
    assert caught.value.returncode == 2
    assert "checkpoint_missing" in str(caught.value)


def test_a_checkpoint_that_is_no_name_is_refused_with_its_code(tmp_path):
    wrong = {"nli": "not a name"}
    with (
        override_settings(MODEL_CHECKPOINTS=wrong, MODEL_FOLDER=tmp_path),
        pytest.raises(CommandError) as caught,
    ):
        output_of("check", "--profile", "custom")
    assert caught.value.returncode == 2
    assert "bad_checkpoint_name" in str(caught.value)
