"""Runs of a chat judge: every call is stored, limits hold, and what is asked twice is counted."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db.models import Sum
from django.utils import timezone

from annotation.domain.base.errors import GroundworkError, LeaseLost
from annotation.models import AuditEntry, FormVersion, Job, Study
from annotation.services.base import jobs
from scoring.judging import prompt
from scoring.models import Judge, JudgeCall, Judgement
from scoring.services.judges.judge_storing import delete_judge
from scoring.services.judges.running import runs, storing
from scoring.services.judges.running.permission import allow_texts, forbid_texts
from scoring.services.judges.running.planning import Counts
from tests.services.judges.running.running_judges import CRITERIA, add_judge, allowed_judge, run
from tests.support.outside.chat_server import KEY, chat_server
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings):
    with chat_server() as running_server:
        settings.JUDGE_ADDRESS = running_server.base
        settings.JUDGE_KEY = KEY
        settings.JUDGE_PRIVATE = True
        yield running_server


@pytest.fixture
def cast():
    return make_cast(items=3)


def owner(cast):
    return cast.users["owner"]


def refusal(act, *arguments, **named):
    with pytest.raises(GroundworkError) as caught:
        act(*arguments, **named)
    return caught.value.code


def states(judge):
    return list(JudgeCall.objects.filter(judge=judge).values_list("state", flat=True))


def counts(judge):
    return Counts.of(Judge.objects.get(pk=judge.pk))


def tokens_of(judge):
    found = Judgement.objects.filter(judge=judge).aggregate(read=Sum("tokens_in"), written=Sum("tokens_out"))
    return found["read"] + found["written"]


def reasons(judge, item):
    rows = Judgement.objects.filter(judge=judge, item__key=item).order_by("criterion__position")
    return list(rows.values_list("reason", flat=True))


def test_every_item_gets_an_answer_on_the_scale_with_its_tokens_and_time(server, cast):
    judge = allowed_judge(cast.study, owner(cast), price_read="2", price_written="8")
    job = run(judge)
    rows = Judgement.objects.filter(judge=judge).select_related("criterion")
    assert (job.state, job.done, job.total) == ("done", 3, 3)
    assert {(row.item.key, row.criterion.key) for row in rows} == {
        (f"L{item:02d}", key) for item in range(3) for key in CRITERIA
    }
    assert {row.value for row in rows} <= {1, 2, 3, 4, 5}
    assert {row.raw[:1] for row in rows} == {"{"}
    counted = rows.filter(criterion__key="quality", latency_ms__gte=0, tokens_out=12)
    others = rows.filter(criterion__key="creativity", latency_ms=None, tokens_in=None, tokens_out=None)
    assert (counted.count(), others.count()) == (3, 3)
    read = tokens_of(judge) - 3 * 12
    assert counts(judge) == Counts(Decimal(2 * read + 8 * 36) / 1_000_000, 0, 0)
    entry = AuditEntry.objects.get(act="run_judge")
    assert (entry.detail["answered"], entry.detail["repeated"]) == (3, 0)


def test_the_prompt_has_the_studys_instructions_rubric_and_text(server, cast):
    run(allowed_judge(cast.study, owner(cast)))
    prompt = server.asked[0]["messages"][1]["content"]
    for words in ("Rate.", "How good is it?", "1 = quality 1", "Simile: The lamp hung like moon 0."):
        assert words in prompt


def test_several_samples_of_an_item_have_seeds_of_their_own(server, cast):
    judge = allowed_judge(cast.study, owner(cast), samples=3, temperature=0.8, seed=40)
    run(judge)
    assert Judgement.objects.filter(judge=judge).count() == 3 * 3 * 2
    assert sorted(one["seed"] for one in server.asked) == sorted([40, 41, 42] * 3)
    assert refusal(add_judge, cast.study, "Same", samples=2) == "samples_need_temperature"


def test_refusals_and_malformed_answers_are_stored_with_their_reasons(server, cast):
    server.script = {"moon 0": ["declined"], "moon 1": ["prose"], "moon 2": ["outside"]}
    judge = allowed_judge(cast.study, owner(cast))
    assert run(judge).state == "done"
    assert [reasons(judge, f"L0{item}") for item in range(3)] == [
        ["refused"] * 2,
        ["malformed"] * 2,
        ["out_of_scale"] * 2,
    ]
    assert len(server.asked) == 3


def test_a_judge_may_say_that_it_cannot_rate_where_raters_may(server, cast):
    server.script = {"moon 0": ["unable"]}
    judge = allowed_judge(cast.study, owner(cast))
    assert run(judge).state == "done"
    assert reasons(judge, "L00") == ["cannot_rate", ""]
    assert "If a criterion cannot be rated, its value is null." in server.asked[0]["messages"][-1]["content"]
    FormVersion.objects.filter(form__study=cast.study).update(cannot_rate=False)
    server.script = {"moon 0": ["unable"]}
    other = allowed_judge(cast.study, owner(cast), "Other")
    run(other)
    assert reasons(other, "L00") == ["not_a_value", ""]
    assert "null" not in server.asked[-1]["messages"][-1]["content"]


def test_all_answers_of_a_judge_are_to_prompts_with_the_same_words(server, cast, monkeypatch):
    judge = allowed_judge(cast.study, owner(cast))
    monkeypatch.setattr(prompt, "TEMPLATES", (*prompt.TEMPLATES, "Think."))
    run(judge)
    judge.refresh_from_db()
    assert judge.settings["template"] == prompt.template_name()
    monkeypatch.setattr(prompt, "TEMPLATES", (*prompt.TEMPLATES, "Twice."))
    assert refusal(run, judge) == "other_prompt_template"


def test_texts_that_no_database_stores_and_huge_numbers_do_not_end_a_run(server, cast):
    server.script = {"moon 0": ["half"], "moon 1": ["nul"], "moon 2": ["huge"]}
    judge = allowed_judge(cast.study, owner(cast))
    assert run(judge).state == "done"
    assert states(judge) == ["answered"] * 3
    assert [reasons(judge, f"L0{item}") for item in range(3)] == [
        ["", ""],
        ["malformed"] * 2,
        ["not_a_value", ""],
    ]
    raw = list(Judgement.objects.filter(judge=judge, criterion__key="quality").values_list("raw", flat=True))
    assert raw[:2] == [
        '{"quality": 4, "creativity": 2, "why": "\N{REPLACEMENT CHARACTER}"}',
        "Good\N{REPLACEMENT CHARACTER}",
    ]


def test_failures_are_tried_again_and_counted_until_an_answer_comes(server, cast, monkeypatch):
    server.script = {"moon 0": ["busy", "fault"], "moon 1": ["lost"], "moon 2": ["unreadable"]}
    judge = allowed_judge(cast.study, owner(cast), price_read="1", price_written="1")
    monkeypatch.setattr(runs._Run, "_wait", lambda _, __: None)
    assert run(judge).state == "done"
    assert list(JudgeCall.objects.filter(judge=judge).values_list("attempts", "error")) == [
        (3, "server_fault"),
        (2, "timed_out"),
        (2, "unreadable"),
    ]
    assert counts(judge).failures == 4
    # Three calls may have been charged though no answer came: at most a token a byte, and 200 written.
    assert counts(judge).spent * 1_000_000 > tokens_of(judge) + 3 * 200


def test_a_call_that_never_gets_an_answer_fails_alone_and_is_made_by_the_next_run(server, cast):
    server.script = {"moon 1": ["late"]}
    judge = allowed_judge(cast.study, owner(cast), attempts=1, patience=1)
    assert run(judge).state == "done"
    assert states(judge) == ["answered", "failed", "answered"]
    assert not Judgement.objects.filter(judge=judge, item__key="L01").exists()
    server.released.set()
    run(judge)
    assert states(judge) == ["answered"] * 3
    assert [server.times_asked(f"moon {item}") for item in range(3)] == [1, 2, 1]


def test_an_endpoint_that_gives_no_answers_ends_the_run(server, cast):
    server.script = {"moon": ["fault"] * 9}
    judge = allowed_judge(cast.study, owner(cast), attempts=1)
    assert refusal(run, judge) == "judge_gives_no_answers"


def test_a_limit_that_lasts_longer_than_a_run_waits_ends_it_and_loses_nothing(server, cast):
    server.script, server.retry_after = {"moon 1": ["busy"]}, "3600"
    judge = allowed_judge(cast.study, owner(cast))
    assert refusal(run, judge) == "judge_rate_limited"
    assert states(judge) == ["answered", "planned", "planned"]


def test_a_run_stops_before_a_call_that_could_exceed_the_budget(server, cast):
    judge = allowed_judge(
        cast.study, owner(cast), price_read="1000", price_written="1000", budget="1.1", most_tokens=100
    )
    assert refusal(run, judge) == "judge_budget_spent"
    assert 1 <= len(server.asked) < 3
    assert counts(judge).spent <= Decimal("1.1")
    assert refusal(add_judge, cast.study, "Free", budget="1") == "price_missing"


def test_usage_that_is_larger_than_could_be_expected_is_counted_in_full(server, cast):
    server.usage = 20
    judge = allowed_judge(cast.study, owner(cast), price_read="1000", budget="2")
    assert refusal(run, judge) == "judge_budget_spent"
    assert len(server.asked) == 1
    assert counts(judge).spent > 2


def test_calls_in_flight_when_a_run_ended_are_repeated_and_counted(server, cast):
    judge = allowed_judge(cast.study, owner(cast), price_read="1")
    run(judge)
    before = counts(judge).spent
    JudgeCall.objects.filter(judge=judge, item__key="L01").update(state="sent")
    Judgement.objects.filter(judge=judge, item__key="L01").delete()
    run(judge)
    assert states(judge) == ["answered"] * 3
    assert [server.times_asked(f"moon {item}") for item in range(3)] == [1, 2, 1]
    assert counts(judge).repeated == 1
    assert counts(judge).spent > before + before / 3


def test_the_page_of_judges_says_how_many_calls_were_repeated(server, cast, client):
    judge = allowed_judge(cast.study, owner(cast))
    run(judge)
    JudgeCall.objects.filter(judge=judge, item__key="L01").update(state="sent")
    Judgement.objects.filter(judge=judge, item__key="L01").delete()
    job = run(judge)
    client.force_login(cast.users["researcher"])
    page = client.get(f"/studies/{cast.slug}/judges/").content.decode()
    assert "judge-1" in page
    assert "Calls repeated after a crash: 1;" in page
    shown = client.get(f"/jobs/{job.pk}/").content.decode()
    assert "Answers of an automatic judge" in shown
    assert f"/studies/{cast.slug}/judges/" in shown


def test_a_cancelled_run_stops_before_its_next_call(server, cast, monkeypatch):
    judge = allowed_judge(cast.study, owner(cast))
    store = storing.store_called

    def stored_and_cancelled(*arguments):
        store(*arguments)
        jobs.cancel(job=Job.objects.get(kind="judge"))

    monkeypatch.setattr(runs, "store_called", stored_and_cancelled)
    with pytest.raises(LeaseLost):
        run(judge)
    assert len(server.asked) == 1
    monkeypatch.undo()
    assert jobs_resumed(judge).state == "queued"


def jobs_resumed(judge):
    return runs.resume_run(job=Job.objects.filter(kind="judge").latest("pk"), actor=None)


def test_the_same_question_to_the_same_model_is_not_asked_again_in_a_study(server, cast):
    first = allowed_judge(cast.study, owner(cast), price_read="1")
    second = allowed_judge(cast.study, owner(cast), "Again", price_read="1")
    other = allowed_judge(cast.study, owner(cast), "Warmer", temperature=0.5)
    run(first)
    run(second)
    assert len(server.asked) == 3
    assert counts(second).spent == 0
    values = [
        list(Judgement.objects.filter(judge=one).order_by("item", "criterion").values_list("value", "raw"))
        for one in (first, second)
    ]
    assert values[0] == values[1]
    assert set(Judgement.objects.filter(judge=second).values_list("attempts", flat=True)) == {0}
    run(other)
    assert len(server.asked) == 6


def test_a_judge_keeps_to_its_calls_a_minute_also_over_runs(server, cast, monkeypatch):
    waits = []
    monkeypatch.setattr(runs._Run, "_wait", lambda _, seconds: waits.append(seconds))
    judge = allowed_judge(cast.study, owner(cast), per_minute=2)
    run(judge)
    assert waits[:2] == [0, 0]
    assert 50 < waits[2] <= 60
    JudgeCall.objects.filter(judge=judge).update(sent_at=timezone.now())
    JudgeCall.objects.filter(judge=judge, item__key="L02").update(state="planned")
    Judgement.objects.filter(judge=judge, item__key="L02").delete()
    waits.clear()
    run(judge)
    assert 50 < waits[0] <= 60


def test_no_text_leaves_without_the_switch_of_an_owner_and_a_notice_in_the_consent(server, cast):
    judge = add_judge(cast.study)
    assert refusal(run, judge) == "texts_may_not_leave"
    for who in ("admin", "researcher", "stranger"):
        asked = {"judge": judge, "actor": cast.users[who], "consent_names_it": True}
        assert refusal(allow_texts, **asked) == "owner_only"
    silent = {"judge": judge, "actor": owner(cast), "consent_names_it": False}
    assert refusal(allow_texts, **silent) == "consent_says_nothing_of_judges"
    assert refusal(run, judge) == "texts_may_not_leave"
    assert server.asked == []
    run(allow_texts(judge=judge, actor=owner(cast), consent_names_it=True))
    assert len(server.asked) == 3
    acts = AuditEntry.objects.filter(act="allow_judge_texts")
    assert acts.get().detail == {"name": "Chat", "address": server.base}


def test_a_permission_that_is_withdrawn_ends_a_run_before_its_next_call(server, cast, monkeypatch):
    judge = allowed_judge(cast.study, owner(cast))
    store = storing.store_called

    def stored_and_forbidden(*arguments):
        store(*arguments)
        forbid_texts(judge=judge, actor=owner(cast))

    monkeypatch.setattr(runs, "store_called", stored_and_forbidden)
    assert refusal(run, judge) == "texts_may_not_leave"
    assert len(server.asked) == 1
    assert refusal(forbid_texts, judge=judge, actor=cast.users["admin"]) == "owner_only"


def test_a_judge_that_is_deleted_ends_its_run_before_its_next_call(server, cast, monkeypatch):
    judge = allowed_judge(cast.study, owner(cast))
    store = runs._Run._store

    def stored_and_deleted(*arguments):
        store(*arguments)
        delete_judge(judge=Judge.objects.get(pk=judge.pk), actor=None)

    monkeypatch.setattr(runs._Run, "_store", stored_and_deleted)
    assert refusal(run, judge) == "judge_deleted"
    assert len(server.asked) == 1


def test_chat_judges_are_off_without_an_address_and_stay_with_the_address_that_was_allowed(
    server, cast, settings
):
    judge = allowed_judge(cast.study, owner(cast))
    settings.JUDGE_ADDRESS = "https://other.example.org/v1"
    assert refusal(run, judge) == "judge_endpoint_off"
    settings.JUDGE_ADDRESS = ""
    assert refusal(add_judge, cast.study, "Off") == "judge_endpoint_off"
    assert server.asked == []


def test_the_key_is_in_no_row(server, cast):
    run(allowed_judge(cast.study, owner(cast)))
    assert server.keys == {f"Bearer {KEY}"}
    rows = [*Judge.objects.values(), *JudgeCall.objects.values(), *Job.objects.values()]
    assert KEY not in f"{rows} {list(AuditEntry.objects.values())} {list(Judgement.objects.values())}"


def test_items_that_are_added_later_are_judged_by_the_next_run(server, cast):
    judge = allowed_judge(cast.study, owner(cast))
    run(judge)
    item = cast.study.items.get(key="L02")
    item.pk, item.key, item.position = None, "L09", 9
    item.fields = {"simile": "The lamp hung like moon 9."}
    item.save()
    run(judge)
    assert len(server.asked) == 4
    assert Study.objects.get().items.count() == 4
