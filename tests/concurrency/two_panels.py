"""Two crowds of simulated annotators who work at the same time, over HTTP, each in one stage of a study."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from benchmarks.rater_client import Browser, Form, Page
from benchmarks.submissions import agree, pressed
from tests.support.installation import Installation, Server

SLUG = "two-stages"
SENTENCE = re.compile(r"Sentence (s[0-9]{3})")
PATIENCE = 120.0
WORDS = {"tenor": ("moon", "lamp"), "vehicle": ("face", "coin"), "ground": ("round shape", "pale light")}

SET_UP = """
import json
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.services.studies.definitions import create_from_definition
from annotation.services.items.item_storage import NewItem
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state
definition = json.loads({definition!r})
owner = User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
items = tuple(NewItem(f"s{{n:03d}}", {{"sentence": f"Sentence s{{n:03d}}: a moon"}}) for n in range({items}))
study = create_from_definition(definition=definition, slug={slug!r}, owner=owner, items=items).study
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
links = [invite(study=study, actor=owner, panel=form).token for form in study.forms.order_by("position")]
print(json.dumps(links))
"""
LOOK = """
import json
from annotation.models import Response, Seat
rows = Response.objects.filter(current=True).values_list(
    "assignment__form__key", "assignment__item__key", "assignment__rater__code", "late")
seats = Seat.objects.values_list("form__key", "item__key", "slot", "state")
print(json.dumps([list(rows), list(seats)]))
"""

YES_NO = [{"value": "yes"}, {"value": "no"}]
DEFINITION: dict[str, Any] = {
    "format": "groundwork-study",
    "version": 1,
    "study": {"title": "Two stages"},
    "serving": {"design": "panels"},
    "forms": [
        {
            "key": "first",
            "title": "First stage",
            "overlap": 2,
            "criteria": [{"key": "metaphor", "name": "Metaphor", "kind": "choice", "points": YES_NO}],
        },
        {
            "key": "second",
            "title": "Second stage",
            "overlap": 3,
            "criteria": [
                {
                    "key": "tuples",
                    "name": "Tuples",
                    "kind": "tuples",
                    "points": [{"value": part} for part in WORDS],
                }
            ],
            "fed_by": {"form": "first", "criterion": "metaphor", "value": "yes", "rule": "all"},
        },
    ],
}


@dataclass
class Sitting:
    """What one annotator saw acknowledged: by sentence, the answer."""

    stage: int
    answers: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What the annotators saw acknowledged, what is stored, and what is reported of it."""

    sittings: Sequence[Sitting]
    responses: Sequence[tuple[str, str, str, bool]]
    seats: Sequence[tuple[str, str, int, str]]
    figures: Sequence[dict[str, Any]]


def run(installation: Installation, *, sentences: int, first: int, second: int) -> Outcome:
    """Let so many annotators of each stage rate so many sentences to the end."""
    with installation.serve("--bind", "127.0.0.1:0") as server:
        script = SET_UP.format(definition=json.dumps(DEFINITION), items=sentences, slug=SLUG)
        links = [f"{server.url}/join/{token}/" for token in script_output(installation, script)]
        sittings = _crowds(server, links, first, second)
    responses, seats = script_output(installation, LOOK)
    report = installation.manage("report", SLUG, "--bootstrap", "20", "--json", "-")
    assert report.returncode == 0, report.stderr
    return Outcome(
        sittings,
        [tuple(one) for one in responses],
        [tuple(one) for one in seats],
        json.loads(report.stdout)["results"],
    )


def script_output(installation: Installation, script: str) -> Any:
    """What a script in the installation prints."""
    return json.loads(installation.run_script(script).splitlines()[-1])


def _crowds(server: Server, links: Sequence[str], first: int, second: int) -> list[Sitting]:
    until = time.monotonic() + PATIENCE
    with ThreadPoolExecutor(first + second) as pool:
        work = [pool.submit(sit, links[0], f"first {number}", 0, until) for number in range(first)]
        work += [pool.submit(sit, links[1], f"second {number}", 1, until) for number in range(second)]
        return [future.result(timeout=2 * PATIENCE) for future in work]


def sit(link: str, name: str, stage: int, until: float) -> Sitting:
    """One annotator, from the link to the end; waits as long as the page says that more may come."""
    browser, sitting = Browser(), Sitting(stage)
    page = _begin(browser, link, until)
    while True:
        form = rating_form(page)
        if form is None:
            if "There are no more items" in page.text:
                return sitting
            assert "check again" in page.text.lower(), page.text[:2000]
            page = _again(browser, page, until)
            continue
        sentence = SENTENCE.findall(page.text)[0]
        answer = answer_of(name, sentence, stage)
        saved = browser.post(page.url, form, _fields(answer) | pressed(form))
        assert saved.status == 303, saved.text[:2000]
        sitting.answers[sentence] = answer
        page = browser.get(saved.text)


def answer_of(name: str, sentence: str, stage: int) -> dict[str, str]:
    """What an annotator of that name says of a sentence, always the same."""
    truth, own = random.Random(sentence), random.Random(f"{name}/{sentence}")
    if stage == 0:
        is_one = truth.random() < 0.6
        return {"metaphor": "yes" if is_one == (own.random() < 0.9) else "no"}
    return {
        part: truth.choice(words) if own.random() < 0.8 else own.choice(words)
        for part, words in WORDS.items()
    }


def rating_form(page: Page) -> Form | None:
    """The form of a page that asks for an answer."""
    return next((form for form in page.post_forms() if "submission_key" in form.values), None)


def _fields(answer: dict[str, str]) -> dict[str, str]:
    if "metaphor" in answer:
        return {"answer-metaphor": answer["metaphor"]}
    return {f"answer-tuples.1.{part}": words for part, words in answer.items()}


def _begin(browser: Browser, link: str, until: float) -> Page:
    page = browser.get(link)
    while page.status == 409:
        assert "More may follow" in page.text, page.text[:2000]
        assert time.monotonic() < until, "nothing came"
        time.sleep(0.3)
        page = browser.get(link)
    return agree(browser, page)


def _again(browser: Browser, page: Page, until: float) -> Page:
    assert time.monotonic() < until, "nothing came"
    time.sleep(0.3)
    return browser.get(page.url)
