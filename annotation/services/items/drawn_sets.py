"""Sets for best–worst scaling, drawn from a file or from the items of a draft."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from django.db import transaction

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.items.drawn_sets import LETTERS, USUAL_FACTOR, DrawnSets, draw_sets
from annotation.io.base.cells import EMPTY_CELL
from annotation.io.base.file_errors import Problems
from annotation.io.base.readers import read_rows
from annotation.models import Study, User
from annotation.selectors.questions.shown_options import texts_in_order
from annotation.services.base import audit
from annotation.services.base.drafts import ITEMS_IN_DRAFTS, lock_draft, refuse_unless_draft
from annotation.services.items.item_storage import NewItem, add_items
from annotation.services.items.removal import remove_items

DESCRIBING = ("item", "group", "system")
META = "meta."


@dataclass(frozen=True)
class TextsFile:
    """A file with one text per row.

    Attributes
    ----------
    path, name, file_format
        The file, what messages call it, and its format, by its ending where empty.
    text : str
        The column of the text; `item` has the item ID, `group` the group if there is any.
    """

    path: Path
    text: str
    name: str = ""
    file_format: str = ""


@dataclass(frozen=True)
class SetDraw:
    """How sets are drawn: `factor` sets per item, of one group if `within_groups`; None for a new `seed`."""

    factor: Fraction | float = USUAL_FACTOR
    within_groups: bool = False
    seed: int | None = None


@dataclass(frozen=True)
class Member:
    """A text that becomes part of sets; `others` are further texts, shown if all texts of a set have them."""

    key: str
    text: str
    group: str = ""
    others: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Draw:
    """Sets with the texts that they were drawn from, and how; the seed is known."""

    members: Sequence[Member]
    asked: SetDraw
    drawn: DrawnSets


def import_drawn_sets(
    *, study: Study, file: TextsFile, draw: SetDraw | None = None, actor: User | None = None
) -> DrawnSets:
    """Draw sets from the texts of a file and add them to a draft as items.

    Parameters
    ----------
    study : Study
        A draft whose form asks for an order of several texts; the sets have as many texts.
    file, draw
        The texts, and how sets are drawn. The seed is written to the audit log.
    actor : User or None
        User who draws.

    Returns
    -------
    DrawnSets
        The sets added. `meta.a`, `meta.b` … name the items of a set.

    Raises
    ------
    FileRefused, NotAllowedNow, InvalidContent
        The file has errors, the study is no draft (`not_a_draft`) or asks for no order (`no_order_asked`),
        or such sets cannot be drawn.

    References
    ----------
    Kiritchenko and Mohammad (2017), Best-Worst Scaling More Reliable than Rating Scales.
    """
    refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    members, asked = _read(file), _with_seed(draw)
    drawn = _drawn(study, members, asked)
    with transaction.atomic():
        _add(study, _Draw(members, asked, drawn), actor)
    return drawn


def draw_sets_of_items(*, study: Study, text: str, draw: SetDraw | None = None, actor: User) -> DrawnSets:
    """Replace the items of a draft by sets of them.

    A large draw takes long, so nothing is locked meanwhile. Items that are changed meanwhile are not
    replaced.

    Parameters
    ----------
    study : Study
        A draft whose form asks for an order of several texts.
    text : str
        The text of the items that is compared.
    draw, actor
        As for `import_drawn_sets`.

    Raises
    ------
    NotAllowedNow, InvalidContent
        As `remove_items`, `import_drawn_sets`, an item lacks this text (`no_such_text`), or the items were
        changed meanwhile (`items_changed`).
    """
    refuse_unless_draft(study, ITEMS_IN_DRAFTS)
    members, asked = members_of(study, text), _with_seed(draw)
    drawn = _drawn(study, members, asked)
    with transaction.atomic():
        lock_draft(study.pk, ITEMS_IN_DRAFTS)
        if members_of(study, text) != members:
            raise NotAllowedNow(
                message("The items were changed while the sets were drawn. Draw the sets again."),
                code="items_changed",
            )
        remove_items(study=study, actor=actor)
        _add(study, _Draw(members, asked, drawn), actor)
    return drawn


def members_of(study: Study, text: str) -> list[Member]:
    """Return the items of a study as texts of sets; `no_such_text` if one lacks the text."""
    members = []
    for item in study.items.order_by("position", "pk"):
        if not item.fields.get(text, "").strip():
            raise InvalidContent(
                message(
                    "The item %(key)s has no text “%(text)s”. Choose a text that all items have.",
                    key=repr(item.key),
                    text=text,
                ),
                code="no_such_text",
            )
        others = {name: words for name, words in item.fields.items() if name != text}
        members.append(Member(item.key, item.fields[text], item.group, others))
    return members


def drawn_from(members: Sequence[Member], *, size: int, draw: SetDraw, seed: int) -> DrawnSets:
    """Return the sets that a seed draws from these texts; raises as `draw_sets`."""
    groups = [member.group for member in members] if draw.within_groups else None
    return draw_sets(len(members), size=size, factor=draw.factor, seed=seed, groups=groups)


def _with_seed(draw: SetDraw | None) -> SetDraw:
    asked = draw or SetDraw()
    return asked if asked.seed is not None else replace(asked, seed=secrets.randbelow(2**31))


def _drawn(study: Study, members: Sequence[Member], asked: SetDraw) -> DrawnSets:
    size = texts_in_order(study)
    if not size:
        raise InvalidContent(
            message("No question of this study compares several texts. Add one to the form first."),
            code="no_order_asked",
        )
    return drawn_from(members, size=size, draw=asked, seed=asked.seed or 0)


def _add(study: Study, made: _Draw, actor: User | None) -> None:
    asked, size = made.asked, len(made.drawn.sets[0])
    count = add_items(study=study, rows=_items(made.members, made.drawn, asked))
    details = {"seed": asked.seed, "size": size, "factor": float(asked.factor)}
    details["within_groups"] = asked.within_groups
    audit.record(study=study, actor=actor, act="draw_sets", count=count, items=len(made.members), **details)


def _read(file: TextsFile) -> list[Member]:
    name = file.name or file.path.name
    rows = read_rows(file.path, needed=("item", file.text), name=name, file_format=file.file_format)
    problems = Problems(name)
    found: dict[str, Member] = {}
    for number, row in rows:
        cells = {column: str(cell) for column, cell in row.items()}
        key, text = cells.get("item", ""), cells.get(file.text, "")
        for column, cell in (("item", key), (file.text, text)):
            if not cell.strip():
                problems.add(number, column, "empty_cell", EMPTY_CELL)
        if key in found:
            problems.add(number, "item", "doubled_item", message("%(key)s appears twice", key=repr(key)))
        no_others = {*DESCRIBING, file.text}
        others = {n: c for n, c in cells.items() if n not in no_others and not n.startswith(META)}
        found[key] = Member(key, text, cells.get("group", ""), others)
    problems.refuse_if_any()
    return list(found.values())


def _items(members: Sequence[Member], drawn: DrawnSets, draw: SetDraw) -> list[NewItem]:
    width = max(2, len(str(len(drawn.sets))))
    rows = []
    for number, one in enumerate(drawn.sets, start=1):
        of_set = [members[place] for place in one]
        first = of_set[0]
        shared = {
            name: words
            for name, words in first.others.items()
            if words and name not in LETTERS and all(member.others.get(name) == words for member in of_set)
        }
        rows.append(
            NewItem(
                key=f"set-{number:0{width}d}",
                group=first.group if draw.within_groups else "",
                fields={**shared, **{letter: m.text for letter, m in zip(LETTERS, of_set, strict=False)}},
                metadata={letter: m.key for letter, m in zip(LETTERS, of_set, strict=False)},
            )
        )
    return rows
