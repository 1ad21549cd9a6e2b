"""Studies in which raters differ, and what brings their items up for adjudication."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.test import Client

from annotation.domain.adjudication.differences import Search
from annotation.domain.base.states import StudyState
from annotation.domain.questions.answers import Submission
from annotation.models import Case, Criterion, Form, FormVersion, Item, Rater, ScalePoint, Study, User
from annotation.selectors.rating.annotations import annotations_of
from annotation.services.adjudication.case_selection import (
    read_search,
    request_search,
    run_search,
    send_items,
)
from annotation.services.adjudication.decisions import choose
from annotation.services.base.jobs import claim
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.studies.lifecycle import create_study
from tests.support.people import PASSWORD
from tests.support.studies.marked_study import marks_of

TEXT = "Memory is a leaking roof."
# Of each kind a criterion, and what three raters say of each of four items; nothing is not answered.
QUALITY = ((1, 3, 5), (4, 4, 4), (2, 4, 4), (1, 1, 5))
GENUINE = (("yes", "no", "unsure"), ("yes", "yes", "yes"), ("yes", "yes", "no"), ("no", "no", "no"))
KINDS = (("a|b", "b", "c"), ("a", "a", "a"), ("a", "a", "b"), ("c", "c", "c"))
PARAPHRASE = (("It leaks.", "It drips.", "It holds."), *[("the roof.", "The roof", "roof")] * 3)
BETTER = (("a", "b", "tie"), ("a", "a", "a"), ("a", "b", "b"), ("b", "b", "b"))
SPANS = ((((0, 6), (12, 24)), ((0, 6), (12, 24)), ((0, 6), (20, 24))), *[(((0, 6), (12, 24)),) * 3] * 3)


def make_case_study(slug: str = "differing", state: StudyState = StudyState.CLOSED) -> Study:
    """One form with a criterion of every kind, four items, three raters; its owner is `SLUG@example.org`."""
    owner = User.objects.create_user(f"{slug}@example.org", PASSWORD)
    study = create_study(slug=slug, title="Differing", owner=owner, consent="", instructions="")
    Study.objects.filter(pk=study.pk).update(state=state, seed=7)
    study.refresh_from_db()
    version = add_every_kind(study)
    criteria = {one.key: one for one in version.criteria.all()}
    items = [
        Item.objects.create(
            study=study, key=f"I-{n}", fields={"sentence": TEXT, "a": "A roof.", "b": "A bowl."}, position=n
        )
        for n in range(4)
    ]
    loaded = []
    for place in range(3):
        rater = Rater.objects.create(study=study, code=f"R-{place + 1:03d}", state="active")
        for number, item in enumerate(items):
            values: dict[Criterion, int | str] = {
                criteria["quality"]: QUALITY[number][place],
                criteria["genuine"]: GENUINE[number][place],
                criteria["kinds"]: KINDS[number][place],
                criteria["paraphrase"]: PARAPHRASE[number][place],
                criteria["better"]: BETTER[number][place],
                criteria["tuples"]: tuples(*SPANS[number][place]),
            }
            loaded.append(LoadedResponse(item=item, rater=rater, version=version, values=values))
    store_responses(loaded=loaded)
    return study


def tuples(tenor: tuple[int, int], vehicle: tuple[int, int]) -> str:
    """One stored tuple of `TEXT`."""
    return json.dumps(marks_of(TEXT, [(tenor, vehicle, "forgetful mind")]), ensure_ascii=False)


def add_every_kind(study: Study) -> FormVersion:
    """A form that asks a question of each kind."""
    form = Form.objects.create(study=study, key="all", title="All kinds", overlap=3)
    blocks = [{"field": "sentence", "label": "Sentence", "role": "figure"}]
    version = FormVersion.objects.create(form=form, blocks=blocks)
    options: dict[str, Mapping[str, Any]] = {
        "quality": {"kind": "likert", "minimum": 1, "maximum": 5, "points": "12345"},
        "genuine": {"kind": "choice", "points": ("yes", "no", "unsure")},
        "kinds": {"kind": "multiple", "points": "abc"},
        "paraphrase": {"kind": "text", "points": ()},
        "better": {"kind": "preference", "points": ("a", "b", "tie")},
        "tuples": {"kind": "tuples", "points": ("tenor", "vehicle", "ground")},
    }
    for position, (key, properties) in enumerate(options.items()):
        fields = {name: value for name, value in properties.items() if name != "points"}
        criterion = Criterion.objects.create(
            version=version, key=key, name=key.capitalize(), position=position, **fields
        )
        for place, value in enumerate(properties["points"]):
            label = f"{value} label" if fields["kind"] != "likert" else ""
            ScalePoint.objects.create(
                criterion=criterion, value=value, label=label, keyboard=str(place + 1), position=place
            )
    return version


def owner_of(study: Study) -> User:
    return User.objects.get(email=f"{study.slug}@example.org")


def look_for(study: Study, rule: str, criterion: str, **more: Any) -> int:
    """Have a worker look for a rule here and now; how many new cases there are."""
    asked: Search = read_search(study, {"rule": rule, "form": "all", "criterion": criterion, **more})
    lease = claim(job_id=request_search(study=study, search=asked, actor=None).pk)
    assert lease is not None
    return run_search(lease=lease)


def decide_all(study: Study, actor: User, keys: Sequence[str], note: str = "") -> int:
    """Send items to adjudication and choose the first annotation of each; the number of the last case."""
    send_items(study=study, keys=keys, actor=actor)
    for case in study.cases.exclude(state="decided").select_related("study", "item", "form"):
        first = annotations_of(study, case.item, case.form_id)[0]
        choose(case=case, annotation=first.pk, sent=sent(note=note), actor=actor)
    return study.cases.latest("pk").pk


def cases_of(study: Study) -> dict[str, Case]:
    return {case.item.key: case for case in study.cases.select_related("item")}


def sent(answers: Mapping[str, Any] | None = None, *, seen: int | None = 0, note: str = "") -> Submission:
    """What a page sends."""
    return Submission(page_key=uuid.uuid4(), answers=answers or {}, seen_revision=seen, remark=note)


@dataclass
class Desk:
    """Two cases of a study, one of which is assigned to an adjudicator."""

    study: Study
    owner: User
    adjudicator: User
    mine: Case
    others: Case

    @property
    def pages(self) -> str:
        return f"/studies/{self.study.slug}/adjudication/"

    @property
    def api(self) -> str:
        return f"/api/v1/studies/{self.study.slug}/adjudication/"

    def client(self, user: User | None = None) -> Client:
        client = Client()
        client.force_login(user or self.adjudicator)
        return client

    def choice(self, case: Case) -> dict[str, object]:
        first = annotations_of(self.study, case.item, case.form_id)[0]
        return {"page_key": str(uuid.uuid4()), "seen_revision": 0, "choose": first.pk}
