"""Children that end by themselves."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.serving.supervisor import MAX_RESTARTS, STOP_SIGNALS, Child, Supervisor


@pytest.fixture(autouse=True)
def own_signal_handlers() -> Iterator[None]:
    handlers = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def python(name: str, log: Path, programme: str) -> Child:
    return Child(name, [sys.executable, "-c", programme], log)


def test_it_gives_up_on_a_child_that_never_stays_and_says_where_to_look(tmp_path: Path):
    messages: list[str] = []
    broken = python("worker", tmp_path / "worker.log", "print('no queue'); raise SystemExit(3)")
    healthy = python("web server", tmp_path / "web.log", "import time; time.sleep(60)")
    status = Supervisor([healthy, broken], messages.append).run(when_started=lambda: True)
    assert status == 1
    assert len(messages) == MAX_RESTARTS
    assert f"The worker ended {MAX_RESTARTS} times within 60 seconds (last with status 3)" in messages[-1]
    assert str(broken.log) in messages[-1]
    assert messages[-1].endswith("no queue")
    assert broken.log.read_text().count("no queue") == MAX_RESTARTS
    assert healthy.died() == -signal.SIGTERM


def test_it_kills_a_child_that_does_not_listen(tmp_path: Path):
    deaf = (
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('up', flush=True)\n"
        "time.sleep(60)\n"
    )
    child = python("worker", tmp_path / "log", deaf)

    def stop_when_up() -> bool:
        if "up" in child.log.read_text():
            signal.raise_signal(signal.SIGTERM)
        return False

    assert Supervisor([child], lambda _: None).run(when_started=stop_when_up) == 0
    assert child.died() == -signal.SIGKILL
