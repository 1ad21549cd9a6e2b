"""A chat endpoint that speaks the protocol of OpenAI’s `chat/completions`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from annotation.domain.base.messages import message
from annotation.io.base.signed_http import Answer, NotAnswered, NotPosted, address_problem, ask, unchecked
from scoring.backends.errors import ModelRefused
from scoring.judging.pace import asked_wait
from scoring.judging.prompt import Prompt

PATH = "chat/completions"
MOST_ANSWERED = 1_000_000
LONGEST_QUOTE = 200
REFUSED, CUT_OFF = "refused", "cut_off"
# The server will, or may, accept the request later.
LATER = frozenset({408, 409, 425, 429})
KEY_REFUSED = frozenset({401, 403})
HIDDEN = "[key]"
# A shorter key may be a part of any answer.
SHORTEST_HIDDEN = 8


class TryAgain(Exception):
    """A call without an answer, which may be tried again.

    Parameters
    ----------
    code
        `timed_out`, `not_reached`, `rate_limited`, `server_fault` or `unreadable`.
    words
        What happened.
    asked
        Seconds that the server asked to wait.
    was_begun
        Whether the server may have worked on it, and charged it.
    """

    def __init__(self, code: str, words: str, *, asked: float | None = None, was_begun: bool = True) -> None:
        super().__init__(words)
        self.code = code
        self.asked = asked
        self.was_begun = was_begun


@dataclass(frozen=True)
class Options:
    """How a model answers.

    Parameters
    ----------
    model
        Its name at the endpoint.
    temperature
        At least 0; 0 for the most probable answer.
    most_tokens
        Longest answer.
    """

    model: str
    temperature: float = 0.0
    most_tokens: int = 200


@dataclass(frozen=True)
class Completion:
    """One answer of a chat endpoint.

    Parameters
    ----------
    text
        What the model wrote.
    reason
        Why it is no answer: `refused`, or `cut_off` at the longest answer; empty for an answer.
    tokens_read, tokens_written
        As the endpoint counted them; None where it did not say.
    model
        The model that answered, as the endpoint names it.
    seconds
        From the request to the whole answer.
    """

    text: str
    reason: str
    tokens_read: int | None
    tokens_written: int | None
    model: str
    seconds: float


@dataclass(frozen=True)
class ChatEndpoint:
    """An endpoint with its key.

    Parameters
    ----------
    address
        Address up to `/chat/completions`, such as `https://api.example.org/v1`.
    key
        Sent as a bearer token; empty for an endpoint without one. It never appears in a message.
    private_allowed
        Whether the address may be in a private network and without HTTPS.
    patience
        Seconds within which a whole answer must come.
    """

    address: str
    key: str = field(default="", repr=False)
    private_allowed: bool = False
    patience: float = 60.0

    def __post_init__(self) -> None:
        problem = address_problem(self.address, private_allowed=self.private_allowed)
        if problem:
            words = message("The address of the chat endpoint cannot be used: %(reason)s", reason=problem)
            raise ModelRefused("bad_judge_address", words)

    def complete(
        self, prompt: Prompt, options: Options, seed: int, *, check: Callable[[], None] = unchecked
    ) -> Completion:
        """Ask for one answer; nothing is tried again here.

        Parameters
        ----------
        prompt
            The two messages.
        options
            Model, temperature and longest answer.
        seed
            Sent to the endpoint, which may ignore it.
        check
            Called when the endpoint is connected, before anything is sent. What it raises ends the call.

        Raises
        ------
        TryAgain
            Without an answer: the network, a limit of calls, a fault of the server, or unreadable content.
        ModelRefused
            `judge_key_refused` or `judge_request_refused`: trying again would not help.
        """
        begun = time.monotonic()
        answer = self._answered(json.dumps(_document(prompt, options, seed)), check)
        return _completion(answer, time.monotonic() - begun, self._without_key)

    def _answered(self, body: str, check: Callable[[], None]) -> Answer:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        address = f"{self.address.rstrip('/')}/{PATH}"
        try:
            answer = ask(
                "POST",
                address,
                body,
                headers,
                private_allowed=self.private_allowed,
                most=MOST_ANSWERED,
                check=check,
                seconds=self.patience,
            )
        except NotAnswered as fault:
            raise TryAgain("timed_out", str(fault)) from fault
        except NotPosted as fault:
            raise TryAgain("not_reached", str(fault), was_begun=False) from fault
        _refuse_status(answer, self._without_key)
        return answer

    def _without_key(self, text: str) -> str:
        """The text of an endpoint without the key, because an endpoint may repeat the headers that it got."""
        return text.replace(self.key, HIDDEN) if len(self.key) >= SHORTEST_HIDDEN else text


def _document(prompt: Prompt, options: Options, seed: int) -> dict[str, Any]:
    return {
        "model": options.model,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
        "temperature": options.temperature,
        "max_tokens": options.most_tokens,
        "seed": seed,
        "n": 1,
    }


def _refuse_status(answer: Answer, without_key: Callable[[str], str]) -> None:
    if 200 <= answer.status < 300:
        return
    words = f"The endpoint answered with the status {answer.status}."
    if answer.status in LATER:
        asked = asked_wait(answer.headers.get("retry-after", ""), datetime.now(UTC))
        raise TryAgain("rate_limited", words, asked=asked, was_begun=False)
    if answer.status >= 500:
        asked = asked_wait(answer.headers.get("retry-after", ""), datetime.now(UTC))
        raise TryAgain("server_fault", words, asked=asked)
    if answer.status in KEY_REFUSED:
        raise ModelRefused(
            "judge_key_refused",
            message(
                "The chat endpoint does not accept the key (status %(status)d). An owner of the study "
                "replaces it under Judges, or an administrator in GROUNDWORK_JUDGE_KEY. Then resume.",
                status=answer.status,
            ),
        )
    quoted = " ".join(without_key(answer.body.decode(errors="replace")).split())[:LONGEST_QUOTE]
    raise ModelRefused(
        "judge_request_refused",
        message(
            "The chat endpoint refused the request (status %(status)d): %(text)s",
            status=answer.status,
            text=quoted or "–",
        ),
    )


def _completion(answer: Answer, seconds: float, without_key: Callable[[str], str]) -> Completion:
    try:
        found = json.loads(answer.body)
        choice = found["choices"][0]
        reply = choice["message"]
        text, refusal = reply.get("content"), reply.get("refusal")
        ended = choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as fault:
        raise TryAgain("unreadable", "The endpoint gave an answer that cannot be read.") from fault
    usage = found.get("usage")
    counted = usage if isinstance(usage, dict) else {}
    return Completion(
        text=without_key(text) if isinstance(text, str) else "",
        reason=_reason(refusal, ended),
        tokens_read=_count(counted.get("prompt_tokens")),
        tokens_written=_count(counted.get("completion_tokens")),
        model=without_key(str(found.get("model") or ""))[:120],
        seconds=seconds,
    )


def _reason(refusal: object, ended: object) -> str:
    if refusal or ended == "content_filter":
        return REFUSED
    return CUT_OFF if ended == "length" else ""


def _count(number: object) -> int | None:
    is_count = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 10**9
    return number if isinstance(number, int) and is_count else None
