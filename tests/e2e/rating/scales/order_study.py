"""A study whose raters put four similes in order, and what is stored of it."""

from __future__ import annotations

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
template = TEMPLATES["preference"]
form = template.forms[0]
(asked,) = form.criteria
sides = "abcd"
asked = replace(asked, key="order", name="Order", question="Put them in order, best first.",
    points=tuple(Point(side, side.upper()) for side in sides), kind=KINDS["ranking"],
    settings={"ranking": SETTINGS})
blocks = tuple({"field": side, "label": side.upper(), "role": "side", "of": "order", "value": side}
    for side in sides)
made = replace(template, texts=tuple(sides), forms=(replace(form, criteria=(asked,), blocks=blocks),),
    serving=Serving())
slug = f"ranking-{Study.objects.count()}"
study = create_from_template(template=made, slug=slug, title="Similes for waiting", owner=owner, overlap=9)
similes = ("like a queue with nobody at the front", "like a train that stops at every field",
    "like a clock that has lost its hands", "like a river that has forgotten the sea")
add_items(study=study, rows=[NewItem(key=key, fields=dict(zip(sides, similes))) for key in ("I-1", "I-2")])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + slug + " " + invite(study=study, actor=owner).token)
"""
LOOK = """
import json
from annotation.models import Rating
found = Rating.objects.filter(criterion__version__form__study__slug="%s").order_by("pk")
print("FOUND" + json.dumps([rating.content for rating in found]))
"""
