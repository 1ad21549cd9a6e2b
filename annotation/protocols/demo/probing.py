"""Similes of the project's own for the three tasks of probing: the gap, the components, the category."""

from __future__ import annotations

from annotation.protocols.template import Demo, DemoItem

# The correct option comes first here; the number is its position among the options of the item.
GAPS: tuple[tuple[str, tuple[str, str, str, str], int], ...] = (
    ("After the run his throat was as ____ as a summer road.", ("dry", "long", "loud", "early"), 2),
    ("The new neighbour was as ____ as a locked drawer.", ("reserved", "wooden", "narrow", "cheerful"), 0),
    ("Her handwriting is as ____ as spider legs.", ("thin", "fast", "hungry", "clean"), 3),
    ("The soup was as ____ as the harbour at low tide.", ("murky", "wide", "fresh", "foreign"), 1),
    ("The boy stayed as ____ as a heron over the pond.", ("still", "grey", "tall", "wet"), 0),
    ("The last week passed as ____ as a coin down a drain.", ("quickly", "richly", "roundly", "dearly"), 2),
)
SENTENCES = (
    ("The old fence leaned like a man listening at a wall.", "yes"),
    ("My brother looks like our grandfather in the wedding photograph.", "no"),
    ("The sheets snapped like flags on the line.", "yes"),
    ("Bake it at a low heat, like the other cake.", "no"),
    ("His excuse was as thin as tracing paper.", "yes"),
    ("She would like the window seat, please.", "no"),
)
PROPERTIES = (
    ("The lake was as smooth as poured glass.", "smooth"),
    ("His cheeks were as red as brick dust.", "red"),
    ("Her voice was as sharp as a paper cut.", "sharp"),
    ("The wait felt as long as a sermon in August.", "long"),
    ("The suitcase was as heavy as a sleeping dog.", "heavy"),
    ("He was as glad as a kite let go.", "glad"),
)


def _gap(number: int, sentence: str, options: tuple[str, str, str, str], place: int) -> DemoItem:
    right, *others = options
    shown = [*others[:place], right, *others[place:]]
    return DemoItem(
        key=f"G{number}",
        fields={"sentence": sentence, "options": "\n".join(shown)},
        metadata={"right": str(place)},
    )


GAP_DEMO = Demo(items=tuple(_gap(number, *gap) for number, gap in enumerate(GAPS, start=1)))
SIMILE_DEMO = Demo(
    items=tuple(
        DemoItem(key=f"S{number}", fields={"sentence": sentence}, metadata={"simile": answer})
        for number, (sentence, answer) in enumerate(SENTENCES, start=1)
    )
)
PROPERTY_DEMO = Demo(
    items=tuple(
        DemoItem(key=f"C{number}", fields={"simile": simile, "property": word})
        for number, (simile, word) in enumerate(PROPERTIES, start=1)
    )
)
