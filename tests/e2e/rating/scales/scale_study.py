"""A study with two numbers to give, its pages, and what is stored of them."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.e2e.demo import Demo

MAKE = """
from dataclasses import replace
from annotation.domain.base.states import StudyState
from annotation.domain.questions.kinds.registry import KINDS
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.protocols.template import Point, Serving
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
template = TEMPLATES["miyazawa"]
form = template.forms[0]
(asked,) = form.criteria
ends = (Point("0", "does not fit at all"), Point("100", "fits perfectly"))
apt = replace(asked, key="apt", name="Aptness", question="How well does it fit?", points=ends,
    kind=KINDS["slider"])
liked = replace(apt, key="liked", name="Liking", points=(Point("0", "not at all"), Point("1", "very much")),
    settings={"slider": {"step": 0.1}})
made = replace(template, forms=(replace(form, criteria=(apt, liked)),), serving=Serving())
slug = f"slider-{Study.objects.count()}"
study = create_from_template(template=made, slug=slug, title="Sliders", owner=owner, overlap=9)
add_items(study=study, rows=[NewItem(key=key, fields={"expression": "a parcel left with neighbours"})
    for key in ("I-1", "I-2")])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + slug + " " + invite(study=study, actor=owner).token)
"""
TESTS = MAKE.replace("criteria=(apt, liked)", "criteria=tests").replace(
    "made = replace(",
    """
points = (Point("0", "No", keyboard="n"), Point("1", "Yes", keyboard="y"))
test = replace(asked, kind=KINDS["binary"], points=points, settings={"binary": {"set": "craft"}})
why = replace(asked, key="ending-why", name="Reason", question="Why not?", kind=KINDS["text"], points=(),
    asked_after="ending", asked_when="0")
also = replace(why, key="voice-why", name="Note", asked_after="voice", asked_when=">=0", required=False)
named = [replace(test, key=name.lower(), name=name, question="Is it good?")
    for name in ("Plot", "Ending", "Voice", "Pace")]
tests = (named[0], named[1], why, named[2], also, named[3])
made = replace(""",
)
MAGNITUDES = MAKE.replace("criteria=(apt, liked)", "criteria=(number,)").replace(
    "made = replace(", 'number = replace(apt, points=(), kind=KINDS["magnitude"])\nmade = replace('
)
LOOK = """
import json
from annotation.models import Rating
found = Rating.objects.filter(criterion__version__form__study__slug="%s").order_by("pk")
print("FOUND" + json.dumps(list(found.values_list("criterion__key", "value"))))
"""
FIRST = """
import json
from annotation.models import Response
found = Response.objects.filter(version__form__study__slug="%s").order_by("pk")
print("FOUND" + json.dumps(found.last().first_values))
"""


def script_output(demo: Demo, script: str) -> str:
    return demo.installation.run_script(script).partition("FOUND")[2].strip()


def stored(demo: Demo, slug: str) -> Any:
    return json.loads(script_output(demo, LOOK % slug))


def first_stored(demo: Demo, slug: str) -> Any:
    """The first positions of the latest response."""
    return json.loads(script_output(demo, FIRST % slug))


def begin(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="I agree – start").click()
    page.get_by_role("button", name="Save and next").wait_for()
