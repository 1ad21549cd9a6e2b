"""What results and the audit log say in words has those words in every language of the interface."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from django.utils import translation

from annotation.domain.base.messages import Message
from annotation.templatetags.audit_words import ACTS, act_words, detail_words, job_words
from annotation.templatetags.rater_words import translated
from config.formats.enumeration import joined
from config.settings.places import ROOT
from scoring.selectors.base.method_words import METHODS, method_words
from scoring.selectors.base.metric_definitions import TEMPLATES, metric_definition
from scoring.textmetrics.registry import METRICS

RECORDING = {"record", "record_for_site"}
# Acts that are chosen by a condition or are named by a constant.
CHOSEN = {
    "decline_qualification",
    "import_probing",
    "withdraw_case",
    "put_case_back",
    "reactivate_account",
    "deactivate_account",
    "give_site_administrator_role",
    "remove_site_administrator_role",
    "release_calibration_notes",
    "hide_calibration_notes",
    "retire_items",
    "approve_payments",
    "change_payments",
    "pause_invitation",
    "resume_invitation",
    "restore_items",
    "pool_versions",
    "separate_versions",
    "send_payments",
    "read_back_payments",
    "stop_messages",
    "allow_messages",
    "decide_assignments",
    "decide_submissions",
    *(
        act.format(platform)
        for platform in ("mturk", "prolific")
        for act in (
            *("connect_{}", "disconnect_{}", "draft_on_{}", "find_{}_draft", "discard_{}_draft"),
            *("link_{}_study", "unlink_{}_study", "raise_{}_places"),
        )
    ),
}
CODES = [*METHODS, "percentile-bootstrap:groups", "bca-bootstrap:items", "wilson:items"]


def recorded_acts() -> Iterator[str]:
    """The acts that services write into the audit log."""
    for package in ("annotation", "scoring"):
        for path in (ROOT / package).rglob("services/**/*.py"):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in RECORDING:
                    acts = [word.value for word in call.keywords if word.arg == "act"]
                    # One act, or one of two by a condition.
                    sides = ("body", "orelse")
                    parts = [getattr(act, side, act) for act in acts for side in sides]
                    yield from (str(part.value) for part in parts if isinstance(part, ast.Constant))


def is_another_in_every_language(sentence: str) -> bool:
    for language in ("zh-hans", "ja"):
        with translation.override(language):
            if translated(sentence) == sentence:
                return False
    return True


def test_every_act_of_the_audit_log_has_words_in_every_language():
    acts = set(recorded_acts())
    assert {"create_study", "adjudicate", "erase_expired_failed"} <= acts
    chosen_elsewhere = {"export_personal_data", "approve_qualification", "export_bonuses", "export_payments"}
    assert acts | CHOSEN | chosen_elsewhere == set(ACTS)
    assert [act for act, words in ACTS.items() if not is_another_in_every_language(words)] == []
    assert act_words("an_act_of_an_older_release") == "an act of an older release"


@pytest.mark.parametrize("name", METRICS)
def test_the_definition_of_every_metric_can_be_read_in_every_language(name: str):
    definition = metric_definition(name)
    assert isinstance(definition, Message)
    assert definition == METRICS[name].definition
    assert is_another_in_every_language(definition)


def test_no_definition_is_without_a_metric():
    definitions = {one.singular for one in map(metric_definition, METRICS) if isinstance(one, Message)}
    assert definitions == {template.singular for template in TEMPLATES}


@pytest.mark.parametrize("code", CODES)
def test_how_an_interval_was_computed_is_described_in_words_of_every_language(code: str):
    words = method_words(code)
    assert ":" not in words
    assert is_another_in_every_language(words)


def test_a_method_of_an_older_release_is_shown_as_it_was_stored():
    assert method_words("jackknife") == "jackknife"


def test_details_inside_others_are_spelled_out():
    detail = {"item": "i1", "before": {"per_rater": 3, "group": ""}, "after": {}, "kept": [{"a": 1}, "b"]}
    assert detail_words(detail) == "Item: i1; Before the change: (Limit per rater: 3); kept: (a: 1), b"


def test_what_was_written_into_a_detail_is_no_markup():
    detail = {"<b>": "<i>", "kept": ["<s>", {"a": "&"}]}
    assert detail_words(detail) == "&lt;b&gt;: &lt;i&gt;; kept: &lt;s&gt;, (a: &amp;)"


def test_a_moment_in_the_log_reads_as_pages_write_times() -> None:
    detail = {"after": "2026-12-24T16:48:03.5+00:00", "study": "2026-12-24"}
    assert detail_words(detail) == "After the change: 24 Dec 2026, 16:48 UTC; study: 2026-12-24"


def test_codes_in_the_log_read_as_names():
    detail = {"before": "draft", "after": "open", "language": "ja", "personal": False}
    language = 'Language: <span lang="ja">日本語</span>'
    words = f"Before the change: draft; After the change: open; {language}; Personal link: no"
    assert detail_words(detail) == words


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Similes, Verses"), ("zh-hans", "Similes、Verses"), ("ja", "Similes、Verses")],
)
def test_names_in_a_row_have_the_comma_of_the_language(language: str, words: str) -> None:
    with translation.override(language):
        assert joined(["Similes", "Verses"]) == words


def test_the_deletion_of_a_study_is_a_job_with_words():
    assert job_words("delete_study") == "Deletion of a study"
