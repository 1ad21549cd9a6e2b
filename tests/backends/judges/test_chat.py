"""A chat endpoint over HTTP: what is sent, what is read, and what becomes of calls without an answer."""

from __future__ import annotations

import pytest

from scoring.backends.errors import ModelRefused
from scoring.backends.judges.chat import ChatEndpoint, Options, TryAgain
from scoring.judging.answers import read_answers
from scoring.judging.prompt import prompt_for_all
from tests.judging.instruments import FIGURE, INSTRUMENT, QUALITY, TEXTS
from tests.support.outside.chat_server import KEY, chat_server

PROMPT = prompt_for_all(INSTRUMENT, TEXTS)
OPTIONS = Options("judge-1", temperature=0.7, most_tokens=50)


@pytest.fixture
def server():
    with chat_server() as running:
        yield running


def endpoint(server, **changes):
    return ChatEndpoint(server.base, KEY, private_allowed=True, **changes)


def failure(server, manner, **changes):
    server.script["wind"] = [manner]
    with pytest.raises(TryAgain) as caught:
        endpoint(server, **changes).complete(PROMPT, OPTIONS, 1)
    return caught.value


def test_prompt_model_temperature_seed_and_key_are_sent_and_the_answer_is_on_the_scale(server):
    found = endpoint(server).complete(PROMPT, OPTIONS, 11)
    (sent,) = server.asked
    assert sent["messages"] == [
        {"role": "system", "content": PROMPT.system},
        {"role": "user", "content": PROMPT.user},
    ]
    assert [sent[name] for name in ("model", "temperature", "max_tokens", "seed")] == ["judge-1", 0.7, 50, 11]
    assert server.keys == {f"Bearer {KEY}"}
    assert read_answers(found.text, (QUALITY, FIGURE)).values.keys() == {"quality", "figure"}
    assert (found.reason, found.model, found.tokens_written) == ("", "judge-1-2026", 12)
    assert found.tokens_read == len(PROMPT.user) // 4
    assert found.seconds > 0


@pytest.mark.parametrize(
    ("manner", "reason"), [("declined", "refused"), ("filtered", "refused"), ("cut", "cut_off")]
)
def test_a_refusal_and_a_text_that_was_cut_off_are_no_answers(server, manner, reason):
    server.script["wind"] = [manner]
    assert endpoint(server).complete(PROMPT, OPTIONS, 1).reason == reason


def test_tokens_that_were_not_counted_are_unknown_and_not_zero(server):
    server.script["wind"] = ["uncounted"]
    found = endpoint(server).complete(PROMPT, OPTIONS, 1)
    assert (found.tokens_read, found.tokens_written) == (None, None)


def test_a_limit_of_calls_says_how_long_to_wait(server):
    server.retry_after = "7"
    fault = failure(server, "busy")
    assert (fault.code, fault.asked, fault.was_begun) == ("rate_limited", 7, False)


@pytest.mark.parametrize(
    ("manner", "code"),
    [("fault", "server_fault"), ("lost", "timed_out"), ("unreadable", "unreadable"), ("away", "timed_out")],
)
def test_a_call_without_a_readable_answer_may_be_tried_again(server, manner, code):
    fault = failure(server, manner)
    assert (fault.code, fault.asked, fault.was_begun) == (code, None, True)


def test_an_answer_that_does_not_come_in_time_ends_the_call(server):
    fault = failure(server, "late", patience=0.2)
    assert fault.code == "timed_out"
    assert "0.2 seconds" in str(fault)


def test_where_no_server_is_nothing_was_sent(server):
    with pytest.raises(TryAgain) as caught:
        ChatEndpoint("http://127.0.0.1:9/v1", private_allowed=True).complete(PROMPT, OPTIONS, 1)
    assert (caught.value.code, caught.value.was_begun) == ("not_reached", False)


def test_a_key_that_is_not_accepted_ends_the_run_and_is_in_no_message(server):
    server.script["wind"] = ["refused"]
    with pytest.raises(ModelRefused) as caught:
        endpoint(server).complete(PROMPT, OPTIONS, 1)
    assert caught.value.code == "judge_key_refused"
    assert KEY not in f"{caught.value.message} {endpoint(server)!r}"


def test_a_request_that_the_endpoint_refuses_is_quoted(server):
    lost = ChatEndpoint(f"{server.address}/v2", KEY, private_allowed=True)
    with pytest.raises(ModelRefused) as caught:
        lost.complete(PROMPT, OPTIONS, 1)
    assert caught.value.code == "judge_request_refused"
    assert "no such address" in caught.value.message


@pytest.mark.parametrize(
    "address",
    [
        "http://models.example.org/v1",
        "https://127.0.0.1/v1",
        "https://user:word@example.org/v1",
        "https://:word@example.org/v1",
        "models",
    ],
)
def test_an_address_that_a_webhook_may_not_have_is_refused(address):
    with pytest.raises(ModelRefused) as caught:
        ChatEndpoint(address)
    assert caught.value.code == "bad_judge_address"


def test_a_name_that_leads_into_the_private_network_is_not_called():
    with pytest.raises(TryAgain) as caught:
        ChatEndpoint("https://localhost/v1").complete(PROMPT, OPTIONS, 1)
    assert (caught.value.code, caught.value.was_begun) == ("not_reached", False)
    assert "private network" in str(caught.value)


def test_what_ends_the_call_before_anything_is_sent_sends_nothing(server):
    def stopped():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        endpoint(server).complete(PROMPT, OPTIONS, 1, check=stopped)
    assert server.asked == []
