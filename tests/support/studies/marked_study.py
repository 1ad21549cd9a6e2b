"""A closed study in which three annotators have marked tuples in made-up sentences."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from annotation.models import Criterion, Rater, Study, User
from annotation.protocols.cmdag import CMDAG_REFINED
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.studies.lifecycle import create_from_template

Triple = tuple[tuple[int, int], tuple[int, int], str]
SENTENCES = (
    "记忆是漏水的屋顶，梦是接水的碗。",
    "你走后，整座城是一张没寄出的明信片。",
    "火车在早上七点到达杭州。",
)
# Tenor, vehicle and ground that each annotator sees in each sentence; none where there is no metaphor.
SEEN: dict[str, Sequence[Sequence[Triple]]] = {
    "R-001": ([((0, 2), (3, 8), "漏失"), ((9, 10), (11, 15), "承接")], [((4, 7), (8, 17), "失联")], []),
    "R-002": ([((9, 10), (14, 15), "承接"), ((0, 2), (6, 8), "漏失")], [((4, 7), (13, 17), "失联")], []),
    "R-003": ([((0, 2), (3, 8), "老旧")], [], [((0, 2), (9, 11), "快")]),
}


def make_marked_study(slug: str = "marked") -> Study:
    """The study; its owner is `marked@example.org`."""
    owner = User.objects.create_user(f"{slug}@example.org", "simile-and-metaphor-42")
    study = create_from_template(template=CMDAG_REFINED, slug=slug, title="Marked", owner=owner)
    items = [
        NewItem(key=f"s{number}", fields={"sentence": text, "earlier": "–"})
        for number, text in enumerate(SENTENCES, start=1)
    ]
    add_items(study=study, rows=items)
    criteria = {one.key: one for one in Criterion.objects.filter(version__form__study=study)}
    loaded = []
    for code, by_sentence in SEEN.items():
        rater = Rater.objects.create(study=study, code=code)
        for item, triples in zip(study.items.order_by("position"), by_sentence, strict=True):
            answers: dict[Criterion, int | str] = {criteria["metaphor"]: "yes" if triples else "no"}
            if triples:
                answers[criteria["tuples"]] = json.dumps(marks_of(item.fields["sentence"], triples))
            version = criteria["tuples"].version
            loaded.append(LoadedResponse(item=item, rater=rater, version=version, values=answers))
    store_responses(loaded=loaded)
    return study


def marks_of(text: str, triples: Sequence[Triple]) -> list[dict[str, Any]]:
    """Stored tuples; the ground is a wording of the annotator's own."""
    marks: list[dict[str, Any]] = []
    for number, (tenor, vehicle, ground) in enumerate(triples, start=1):
        for part, (start, end) in (("tenor", tenor), ("vehicle", vehicle)):
            marks.append({"tuple": number, "part": part, "start": start, "end": end, "text": text[start:end]})
        marks.append({"tuple": number, "part": "ground", "start": None, "end": None, "text": ground})
    return marks
