"""A server that speaks the protocol of chat completions, for tests: it answers, refuses, limits and fails.

Calls whose prompt contains a text have the manners that `script` gives for that text, one a call; then, and
for other prompts, an answer on the scale.
"""

from __future__ import annotations

import json
import re
import zlib
from contextlib import AbstractContextManager
from typing import Any

from tests.support.outside.unreliable_server import Answered, UnreliableHandler, UnreliableServer, running

CRITERION = re.compile(r"\(key: (?P<key>[^)]+)\)\n(?P<rest>.*?)(?=\n\nCriterion|\nThe item:)", re.DOTALL)
VALUE = re.compile(r"^(?P<value>\S+)( = .*)?$")
KEY = "key-of-the-lab"
WORDS = {
    "prose": "I would say that this is rather good.",
    "unable": '{"quality": null, "creativity": 3}',
    "outside": '{"quality": 9, "creativity": "very"}',
    "silent": "",
    "half": '{"quality": 4, "creativity": 2, "why": "\ud83d"}',
    "nul": "Good\x00",
    "huge": f'{{"quality": 1{"0" * 400}, "creativity": 2}}',
}


class ChatServer(UnreliableServer):
    """`script` gives the manners of calls by a text of their prompt; `asked` has the documents that came."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.script: dict[str, list[str]] = {}
        self.asked: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.retry_after = "0"
        self.usage = 1

    @property
    def base(self) -> str:
        """The address up to `/chat/completions`."""
        return f"{self.address}/v1"

    def manner_of(self, prompt: str) -> str:
        for text, manners in self.script.items():
            if text in prompt and manners:
                return manners.pop(0)
        return ""

    def times_asked(self, text: str) -> int:
        """How many calls came whose prompt contains a text."""
        return sum(text in one["messages"][-1]["content"] for one in self.asked)


class _Handler(UnreliableHandler):
    server: ChatServer
    manner = ""

    def take(self) -> None:
        sent = json.loads(self.body())
        self.server.asked.append(sent)
        self.server.keys.add(self.headers.get("Authorization", ""))
        if not self.path.endswith("/v1/chat/completions"):
            self.answer(404, {"error": {"message": "There is no such address."}})
            return
        self.manner = self.server.manner_of(sent["messages"][-1]["content"])
        self.answer_in(self.manner, lambda: self.completion(sent))

    def refusal(self, manner: str) -> Answered:
        return {"busy": (429, {"error": "slower"}), "refused": (401, {"error": "key"})}.get(
            manner, (503, {"error": "overloaded"})
        )

    def end_headers(self) -> None:
        if self.manner == "busy":
            self.send_header("Retry-After", self.server.retry_after)
        super().end_headers()

    def completion(self, sent: dict[str, Any]) -> Answered:
        prompt = sent["messages"][-1]["content"]
        repeated = f"You sent {self.headers.get('Authorization')}."
        if self.manner == "repeating_refusal":
            return 400, {"error": repeated}
        text = {**WORDS, "repeating": repeated}.get(self.manner, on_scale(prompt, sent))
        message: dict[str, Any] = {"role": "assistant", "content": text}
        ended = {"filtered": "content_filter", "cut": "length"}.get(self.manner, "stop")
        if self.manner == "declined":
            message = {"role": "assistant", "content": None, "refusal": "I cannot help with this."}
        document: dict[str, Any] = {
            "model": f"{sent['model']}-2026",
            "choices": [{"index": 0, "message": message, "finish_reason": ended}],
        }
        if self.manner != "uncounted":
            read, written = len(prompt) // 4 * self.server.usage, 12 * self.server.usage
            document["usage"] = {"prompt_tokens": read, "completion_tokens": written}
        return 200, document


def on_scale(prompt: str, sent: dict[str, Any]) -> str:
    """A JSON object with a value of each criterion that follows from prompt and seed."""
    answers: dict[str, str] = {}
    for found in CRITERION.finditer(prompt):
        _, _, listed = found["rest"].partition("Values:")
        values = [line["value"] for line in map(VALUE.match, listed.strip().splitlines()) if line]
        place = zlib.crc32(f"{prompt}|{found['key']}|{sent['seed']}".encode())
        answers[found["key"]] = values[place % len(values)]
    return json.dumps(answers)


def chat_server() -> AbstractContextManager[ChatServer]:
    """A server that runs until the test is over."""
    return running(ChatServer())
