"""Studies whose texts have line breaks, blank lines and indents, or are one very long word."""

from __future__ import annotations

from annotation.domain.base.states import StudyState
from annotation.models import (
    CalibrationItem,
    FormVersion,
    Item,
    Membership,
    Qualification,
    ScalePoint,
    Study,
    User,
)
from annotation.protocols.registry import TEMPLATES
from annotation.services.adjudication.case_selection import send_items
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.people.invitations import invite
from annotation.services.quality.qualification_setup import write_page
from annotation.services.studies.lifecycle import change_state, create_from_template
from tests.support.people import Cast, make_cast
from tests.support.studies.adjudication_study import make_case_study
from tests.support.studies.disagreement_study import figures_of
from tests.support.studies.qualification_study import qualify
from tests.support.studies.simile_study import make_similes, score

LINES = "\r\nOnce, a lamp:\r\nit hung,\r\n\r\n\r\n   bright,\nlike a moon.\n\nThe end."
WORD = "m" * 3_000
READER = "researcher@example.org"


def make() -> dict[str, str]:
    """The studies; what tells a test where the pages are."""
    case = _closed_study()
    return {"case": str(case), "rate": _rated_study(), "mark": _marked_study(), "run": str(_scored_study())}


def _closed_study() -> int:
    """Rated, disagreed about and up for adjudication; the number of the case of the text with lines."""
    study = make_case_study("verse")
    version = FormVersion.objects.get(form__study=study)
    sides = [{"field": one, "role": "side", "of": "better", "value": one} for one in "ab"]
    version.blocks = [{"field": "context", "label": "Context"}, *version.blocks, *sides]
    version.save()
    _write(study, "context", "sentence", "a", "b")
    _share(study)
    figures_of(study)
    send_items(study=study, keys=["I-0", "I-1"], actor=User.objects.get(email="verse@example.org"))
    return study.cases.get(item__key="I-0").pk


def _rated_study() -> str:
    """Open to raters, who qualify first; the token of its invitation."""
    cast = make_cast(slug="verses", items=2, opened=False)
    study = cast.study
    Study.objects.filter(pk=study.pk).update(
        consent=LINES, instructions=LINES + WORD, description=LINES, content_warning=LINES
    )
    study.refresh_from_db()
    version = FormVersion.objects.get(form__study=study)
    version.blocks = [{"field": "literal", "label": "Context", "role": "literal"}, *version.blocks]
    version.save()
    version.criteria.filter(key="quality").update(question=LINES)
    choice = version.criteria.create(key="kind", name="Kind", kind="choice", position=3, question=WORD)
    words = (("a", LINES), ("b", WORD))
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=choice, value=value, label=value, description=text, position=place)
        for place, (value, text) in enumerate(words)
    )
    _write(study, "literal", "simile")
    cast.study = study
    made = _qualified(cast)
    _write(study, "literal", "simile", calibration=True)
    CalibrationItem.objects.filter(qualification=made).update(reason=LINES, note=LINES)
    _share(study)
    change_state(study=study, to=StudyState.OPEN, actor=cast.users["owner"])
    return cast.invitation.token


def _qualified(cast: Cast) -> Qualification:
    """With calibration items of one text each, and a background page."""
    version = FormVersion.objects.get(form__study=cast.study)
    blocks, version.blocks = version.blocks, version.blocks[1:]
    version.save()
    made = qualify(cast, opened=False)
    version.blocks = blocks
    version.save()
    write_page(qualification=made, actor=cast.users["owner"], title="Verses", text=LINES + WORD)
    return made


def _marked_study() -> str:
    """Tuples are marked in its texts; the token of its invitation."""
    owner = User.objects.get(email="verse@example.org")
    study = create_from_template(
        template=TEMPLATES["cmdag_refined"], slug="marked-verse", title="Marked verse", owner=owner, overlap=9
    )
    fields = {"sentence": LINES, "before": WORD, "after": LINES, "earlier": "-"}
    add_items(study=study, rows=[NewItem(key="S", fields=fields, metadata={"source": "prose"})])
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    return invite(study=study, actor=owner).token


def _scored_study() -> int:
    cast = make_cast(slug="scored-verse", items=0, opened=False)
    make_similes(cast.study, groups=1)
    _write(cast.study, "literal", "simile")
    _share(cast.study)
    return score(cast.study).pk


def _write(study: Study, *fields: str, calibration: bool = False) -> None:
    """Every second item has lines, the others have the long word."""
    for place, item in enumerate(Item.everything.filter(study=study, planted=calibration).order_by("pk")):
        item.fields = {**item.fields, **dict.fromkeys(fields, WORD if place % 2 else LINES)}
        item.components = []
        item.save()


def _share(study: Study) -> None:
    Membership.objects.create(study=study, user=User.objects.get(email=READER), role="owner")
