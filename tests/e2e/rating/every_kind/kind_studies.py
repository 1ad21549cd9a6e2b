"""One open study for each kind in `kinds`, with one item, and what is stored of its answers."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.template import Serving, StudyTemplate
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.media.local_files import import_media
from annotation.services.people.invitations import invite
from annotation.services.studies.lifecycle import change_state, create_from_template
from tests.e2e.demo import Demo
from tests.e2e.rating.every_kind.kinds import CASES
from tests.support.media.media_study import archive, picture, recording

# At least 2,000 characters: a very long word, Chinese without spaces, line breaks, emoji, Arabic.
LONG = "\n".join(
    (
        "One evening the light went, " * 24,
        "m" * 420,
        "母亲常说我们第一套公寓的厨房闻起来就像退潮时的港口" * 16,
        "",
        "   👩‍👩‍👧‍👦🏳️‍🌈" * 12,
        "كان الصمت في البيت مثل ثلج قديم " * 14,
    )
)
assert len(LONG) >= 2_000


def make(prefix: str, text: str, word: str = "") -> dict[str, dict[str, str]]:
    """Make the studies, `word` in all that a form says; by kind their slug and the token to join."""
    made = {}
    for name, template in templates().items():
        slug = f"{prefix}-{name}".replace("_", "-")
        made[name] = {"slug": slug, "token": _open(slug, template, text, word)}
    return made


def templates() -> dict[str, StudyTemplate]:
    """The form of each kind."""
    return {name: replace(case.template(), serving=Serving()) for name, case in CASES.items()}


def _open(slug: str, template: StudyTemplate, text: str, word: str) -> str:
    owner = User.objects.get(email="owner@example.org")
    study = create_from_template(template=template, slug=slug, title=slug + word, owner=owner, overlap=9)
    fields = dict.fromkeys(template.texts, text)
    if "picture" in fields:
        fields |= {"picture": "p.png", "sound": "s.wav"}
    add_items(study=study, rows=[NewItem(key="one", fields=fields, group="g")])
    if "picture" in fields:
        _add_media(study, text)
    if word:
        _lengthen(study, word)
    study = change_state(study=study, to=StudyState.OPEN, actor=owner)
    return invite(study=study, actor=owner).token


def _add_media(study: Study, text: str) -> None:
    words = json.dumps(text.replace('"', "'"), ensure_ascii=False).replace("\\n", "\n")
    listed = f"file,alt,transcript\np.png,{words},\ns.wav,,{words}\n"
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "media.zip"
        members: dict[str, bytes | str] = {
            "p.png": picture(size=(300, 200)),
            "s.wav": recording(0.3),
            "media.csv": listed,
        }
        packed.write_bytes(archive(members))
        import_media(study=study, paths=[packed])


def _lengthen(study: Study, word: str) -> None:
    """What a form says: names, questions, labels of points and their descriptions."""
    version = study.forms.get().versions.get()
    version.blocks = [{**block, "label": f"{block['label']} {word}"} for block in version.blocks]
    version.save()
    for criterion in version.criteria.all():
        criterion.name, criterion.question = f"{criterion.name} {word}"[:200], f"{criterion.question} {word}"
        criterion.save()
        for point in criterion.points.all():
            point.label, point.description = f"{point.label} {word}"[:200], f"{point.description} {word}"
            point.save()


def stored(slug: str) -> dict[str, Any]:
    """Of each criterion its answer, as files hold it."""
    return {row["criterion"]: row["value"] for row in long_ratings(Study.objects.get(slug=slug))}


def opened(demo: Demo, prefix: str, text: str, word: str = "") -> dict[str, dict[str, str]]:
    """Make the studies in a running demo; each with the `link` to join."""
    made = demo.call(make, prefix, text, word)
    return {
        name: {**one, "link": f"{demo.url.rstrip('/')}/join/{one['token']}/"} for name, one in made.items()
    }


def stored_in(demo: Demo, slug: str) -> dict[str, Any]:
    """`stored` in a running demo."""
    return demo.call(stored, slug)
