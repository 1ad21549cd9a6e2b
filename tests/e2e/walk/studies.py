"""The studies of the walk: one for each layout of the rating page, and one for what surrounds rating."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.installation import Installation, Server

# In each, a rater can join at once; `around` has questions about the rater, background pages and calibration.
MAKE = """
import json
from decimal import Decimal
from annotation.domain.base.states import StudyState
from annotation.domain.pay.wages import PayFor
from annotation.domain.quality.calibration import RuleKind
from annotation.models import DemographicQuestion, FormVersion, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.pay.pay_settings import set_pay
from annotation.services.people.invitations import invite
from annotation.services.quality.qualification_setup import add_calibration_item, set_qualification
from annotation.services.quality.qualification_setup import write_page
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state, create_from_template
owner = User.objects.create_user("walk@example.org")
tokens = {}
def opened(study, name):
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    tokens[name] = invite(study=study, actor=owner, label=name).token
for name in ("hauser", "hanna", "miyazawa", "simile_probing", "preference", "cmdag_refined",
        "best_worst_novelty", "story_pairs", "creativity_tests", "error_spans", "image_captions"):
    template = TEMPLATES[name]
    study = create_demo_study(
        template=template, slug="walk-" + name.replace("_", "-"), title=template.title, owner=owner,
        overlap=90)
    opened(study, name)
study = create_from_template(template=TEMPLATES["hauser"], slug="walk-around", title="Weather similes",
    owner=owner, overlap=90, content_warning="Some sentences speak of storms.")
add_items(study=study, rows=[NewItem(key="i1", fields={
    "literal": "It rained.", "simile": "It rained like drums.", "vehicle": "drums"})])
DemographicQuestion.objects.create(
    study=study, key="years", text="For how many years have you spoken English?", kind="number")
made = set_qualification(study=study, actor=owner, kind=RuleKind.NEAR, tolerance=1, share=1, attempts=2)
write_page(qualification=made, actor=owner, title="What a simile is", text="It rained like {vehicle:drums}.")
add_calibration_item(qualification=made, actor=owner, form=study.forms.get(), texts={
    "literal": "It was loud.", "simile": "It was loud like drums."}, reference={"quality": 5},
    reason="Drums are loud, and so was it.")
example = {"criterion": "quality", "text": "The fog lay like {vehicle:wool}.", "answer": "5", "right": True,
    "reason": "Soft, grey and close, as fog is."}
FormVersion.objects.filter(form__study=study).update(
    examples=[example, {**example, "answer": "1", "right": False, "reason": "Plain words are no fault."}],
    practice=[{"field": "literal", "text": "It snowed."},
        {"field": "simile", "text": "It snowed like {vehicle:flour}."}])
set_pay(study=study, actor=owner, currency="EUR", paid_for=PayFor.PAGE, amount=Decimal("0.2"),
    page_seconds=30, shown=True)
opened(study, "around")
print("FOUND" + json.dumps(tokens))
"""


@contextmanager
def served() -> Iterator[tuple[Server, dict[str, str]]]:
    """A server in a folder of its own, and the link of each study by its name."""
    with TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "var", {})
        with installation.serve("--demo", "--bind", "127.0.0.1:0") as server:
            server.wait_until_ready()
            yield server, links(installation, server.url)
            installation.close()


def links(installation: Installation, address: str) -> dict[str, str]:
    """Make the studies; the invitation link of each by its name."""
    tokens: dict[str, str] = json.loads(installation.run_script(MAKE).partition("FOUND")[2])
    return {name: f"{address.rstrip('/')}/join/{token}/" for name, token in tokens.items()}
