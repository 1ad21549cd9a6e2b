"""A study of a text with tuples that others found in it."""

from __future__ import annotations

TEXT = "The city at dusk is an orchestra tuning up, all strings and brass, and the river its slow conductor."
FOUND = "The city at dusk – all strings and brass – layered sound"
MAKE = """
import json
from annotation.domain.base.states import StudyState
from annotation.models import User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.get(email="owner@example.org")
study = create_from_template(
    template=TEMPLATES["cmdag_refined"], slug="steady", title="Steady", owner=owner, overlap=9
)
text, found = json.loads(%r)
add_items(study=study, rows=[NewItem(key="S", fields={"sentence": text, "earlier": found}, metadata={})])
study = change_state(study=study, to=StudyState.OPEN, actor=owner)
print("FOUND" + invite(study=study, actor=owner).token)
"""
# Every shift counts, also one right after an act of the rater.
