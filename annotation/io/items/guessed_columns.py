"""Detection of the content of columns in an items file, from their names and cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.io.items.column_profiles import MOST_PROFILED, ColumnProfile, Rows, profile_columns
from annotation.io.items.comparisons import column_of_comparisons
from annotation.io.items.item_columns import (
    GROUP,
    GROUP_AND_TEXT,
    ITEM,
    META,
    PLACES,
    ROW_NUMBERS,
    SYSTEM,
    TEXT,
)

NAMES = {
    ITEM: ("id", "item", "item_id", "itemid", "uid", "key", "code", "nr", "no", "number", "index"),
    GROUP: ("group", "source", "source_id", "prompt_id", "sentence_id", "set", "cluster", "stem", "topic_id"),
    SYSTEM: ("system", "sys", "model", "author", "generator", "method", "writer", "by"),
}
ROLES = {
    "figure": ("simile", "metaphor", "figure", "figurative", "candidate", "output", "generated", "text"),
    "literal": ("literal", "plain", "sentence", "original", "input", "paraphrase", "context"),
}
# Names of columns that identify items only where these do not just count the rows.
OF_ROWS = ("nr", "no", "number", "index")
WORD = re.compile(r"[^\W_]+")
# Shorter abbreviations are ambiguous, such as “s” for “simile”.
SHORTEST_ABBREVIATION = 3
# A system made several items; more systems than that are hardly compared in one study.
MOST_SYSTEMS = 12
# A column with a smaller share of different texts than the others repeats its texts for several figures.
MOSTLY_DIFFERENT = 0.8
# A text makes groups if so many items share it on average.
ITEMS_PER_TEXT = 2
Profiles = Mapping[str, ColumnProfile]


def guess_columns(columns: Sequence[str], rows: Rows, shown: Mapping[str, str]) -> dict[str, str]:
    """Guess the use of each column, as `mapping_problems` takes it.

    Parameters
    ----------
    columns : sequence of str
        The columns of the file.
    rows : sequence of (int, mapping)
        Its rows with their numbers.
    shown : mapping of str to str
        The texts that the forms of the study show, by name, each with its role such as `figure`.

    Returns
    -------
    dict of str to str
        Column → use. If no column identifies the items, `ROW_NUMBERS` is the item ID.
    """
    profiles = profile_columns(columns, rows)
    uses = {column: _use_by_name(column, shown) for column in columns}
    _guess_identifier(uses, profiles)
    _guess_groups_and_systems(uses, profiles)
    _guess_texts(uses, profiles, shown, rows)
    _guess_groups_by_text(uses, profiles, shown)
    for column in columns:
        if uses[column] is None:
            uses[column] = (
                "" if profiles[column].is_row_index or not profiles[column].filled else META + column
            )
    mapping = {column: use or "" for column, use in uses.items()}
    if ITEM not in mapping.values():
        mapping[ROW_NUMBERS] = ITEM
    return mapping


def assigned_as_before(guessed: Mapping[str, str], earlier: Mapping[str, str]) -> dict[str, str]:
    """The guessed uses, except for columns with the names of an earlier file: they are used as there.

    Parameters
    ----------
    guessed : mapping of str to str
        As `guess_columns` returns it.
    earlier : mapping of str to str
        The columns of the earlier file with their uses.

    Returns
    -------
    dict of str to str
        Column → use. Other columns with a use that the earlier file gives to a column become metadata.
    """
    same = {column: earlier[column] for column in guessed if column in earlier and column != ROW_NUMBERS}
    taken = set(same.values()) - {""}
    mapping = {
        column: same.get(column, META + column if use in taken else use)
        for column, use in guessed.items()
        if column != ROW_NUMBERS
    }
    if ITEM not in mapping.values():
        mapping[ROW_NUMBERS] = ITEM
    return mapping


def _use_by_name(column: str, shown: Mapping[str, str]) -> str | None:
    if column in PLACES:
        return column
    if column in shown:
        return TEXT + column
    return META + column.removeprefix("meta.") if column.startswith("meta.") else None


def _guess_identifier(uses: dict[str, str | None], profiles: Profiles) -> None:
    """Choose a column that differs in each row: by name, else one of codes, else one that counts rows."""
    if ITEM in uses.values():
        return
    unique = [column for column in uses if uses[column] is None and profiles[column].is_unique]
    named = [column for column in unique if column.lower() in NAMES[ITEM]]
    codes = [column for column in unique if not (profiles[column].is_number or profiles[column].is_text)]
    numbered = [column for column in unique if profiles[column].is_row_index]
    sure = [column for column in named if column not in numbered or column.lower() not in OF_ROWS]
    telling = [column for column in sure if column not in numbered]
    for column in [*telling, *sure, *codes, *numbered][:1]:
        uses[column] = ITEM


def _guess_groups_and_systems(uses: dict[str, str | None], profiles: Profiles) -> None:
    for place in (GROUP, SYSTEM):
        named = [column for column in _repeating(uses, profiles) if column.lower() in NAMES[place]]
        if place not in uses.values() and named:
            uses[named[0]] = place
    used = set(uses.values())
    for column in _repeating(uses, profiles):
        profile = profiles[column]
        if profile.is_number or profile.distinct < 2:
            continue
        size = profile.filled / profile.distinct
        if GROUP not in used and profile.distinct > MOST_SYSTEMS and size >= 2:
            uses[column] = GROUP
        elif SYSTEM not in used and profile.distinct <= min(MOST_SYSTEMS, size):
            uses[column] = SYSTEM
        used.add(uses[column])


def _repeating(uses: Mapping[str, str | None], profiles: Profiles) -> list[str]:
    """Unused columns whose cells are codes or numbers that occur several times."""
    return [
        column
        for column, use in uses.items()
        if use is None and profiles[column].repeats and not profiles[column].is_text
    ]


def _guess_texts(
    uses: dict[str, str | None], profiles: Profiles, shown: Mapping[str, str], rows: Rows
) -> None:
    """Give texts the names that the forms show: by abbreviation or synonym, then by their contents."""
    texts = [column for column, use in uses.items() if use is None and profiles[column].is_text]
    used = set(uses.values())
    # “Simile sentence” is the figure, though “sentence” alone would be the literal one.
    wanted = sorted(
        (name for name in shown if TEXT + name not in used), key=lambda name: shown[name] != "figure"
    )
    for name in list(wanted):
        found = next((column for column in texts if _matches_name(column, name, shown[name])), None)
        if found is not None:
            uses[found] = TEXT + name
            texts.remove(found)
            wanted.remove(name)
    figure = _figure_among(texts, profiles, rows)
    if figure is None:
        wanted.sort(key=list(shown).index)
    else:
        texts.sort(key=lambda column: column != figure)
    for column, name in zip(texts, wanted, strict=False):
        uses[column] = TEXT + name
    for column in texts[len(wanted) :]:
        uses[column] = TEXT + column


def _guess_groups_by_text(uses: dict[str, str | None], profiles: Profiles, shown: Mapping[str, str]) -> None:
    """Without a column of groups, items with the same text are a group; the text is not the figure itself."""
    if GROUP in uses.values():
        return
    for column, use in uses.items():
        name, profile = (use or "").removeprefix(TEXT), profiles[column]
        is_shown = use == TEXT + name and shown.get(name, "figure") != "figure"
        if is_shown and profile.distinct > 1 and profile.filled >= ITEMS_PER_TEXT * profile.distinct:
            uses[column] = GROUP_AND_TEXT + name
            return


def _figure_among(texts: Sequence[str], profiles: Profiles, rows: Rows) -> str | None:
    """The column of figures, which differs from row to row, or has texts that compare; None if unclear.

    A literal sentence with several figures repeats.
    """
    most = max((profiles[column].distinct for column in texts), default=0)
    differing = [column for column in texts if profiles[column].distinct > MOSTLY_DIFFERENT * most]
    if len(differing) > 1:
        return column_of_comparisons(differing, rows[:MOST_PROFILED])
    return differing[0] if differing else None


def _matches_name(column: str, name: str, role: str) -> bool:
    given, wanted = column.lower(), name.lower()
    short = min(len(given), len(wanted)) >= SHORTEST_ABBREVIATION
    if short and (given.startswith(wanted) or wanted.startswith(given)):
        return True
    return not {given, *WORD.findall(given)}.isdisjoint(ROLES.get(role, ()))
