"""Similes of the project's own: eight sentences, each with one candidate by every system."""

from __future__ import annotations

from annotation.protocols.markup import unmark
from annotation.protocols.template import Demo, DemoItem

SYSTEMS = ("anna", "bruno", "chen", "template", "shuffled")

GROUPS: tuple[tuple[str, tuple[str, str, str, str, str]], ...] = (
    (
        "The harbour went quiet after the last boat had left.",
        (
            "When the last boat left, {topic:the harbour} {event:went quiet} like {vehicle:a theatre after the final bow}.",
            "{topic:The harbour} {event:went quiet} like {vehicle:a held breath} after the last boat had left.",
            "After the last boat, {topic:the harbour} {event:went quiet} like {vehicle:a house whose children have moved out}.",
            "{topic:The harbour} {event:went quiet} like {vehicle:a mouse} after the last boat had left.",
            "{topic:The harbour} {event:went quiet} like {vehicle:a drum} after the last boat had left.",
        ),
    ),
    (
        "Her voice trembled when she read the letter aloud.",
        (
            "{topic:Her voice} {event:trembled} like {vehicle:a candle near an open window} when she read the letter aloud.",
            "When she read the letter, {topic:her voice} {event:trembled} like {vehicle:the string of a violin after the bow has left it}.",
            "{topic:Her voice} {event:trembled} like {vehicle:thin ice under a dog} when she read the letter aloud.",
            "{topic:Her voice} {event:trembled} like {vehicle:a leaf} when she read the letter aloud.",
            "{topic:Her voice} {event:trembled} like {vehicle:a rock} when she read the letter aloud.",
        ),
    ),
    (
        "The old bus climbed the hill slowly.",
        (
            "{topic:The old bus} {event:climbed the hill} like {vehicle:a pilgrim counting every step}.",
            "{topic:The old bus} {event:climbed the hill} like {vehicle:an uncle on the stairs after dinner}.",
            "{topic:The old bus} {event:climbed the hill} like {vehicle:a beetle on a wet window}.",
            "{topic:The old bus} {event:climbed the hill} like {vehicle:a snail}.",
            "{topic:The old bus} {event:climbed the hill} like {vehicle:an arrow}.",
        ),
    ),
    (
        "The news spread through the village before noon.",
        (
            "Before noon {topic:the news} {event:spread through the village} like {vehicle:the smell of the first bread}.",
            "{topic:The news} {event:spread through the village} like {vehicle:ink in a glass of water} before noon.",
            "{topic:The news} {event:spread through the village} like {vehicle:swallows looking for barns} before noon.",
            "{topic:The news} {event:spread through the village} like {vehicle:wildfire} before noon.",
            "{topic:The news} {event:spread through the village} like {vehicle:a locked door} before noon.",
        ),
    ),
    (
        "He waited outside the office all afternoon.",
        (
            "All afternoon {topic:he} {event:waited outside the office} like {vehicle:a coat that nobody had come back for}.",
            "{topic:He} {event:waited outside the office} like {vehicle:a dog tied up in front of a bakery} all afternoon.",
            "{topic:He} {event:waited outside the office} like {vehicle:the last number on a delayed departure board} all afternoon.",
            "{topic:He} {event:waited outside the office} like {vehicle:a statue} all afternoon.",
            "{topic:He} {event:waited outside the office} like {vehicle:a parade} all afternoon.",
        ),
    ),
    (
        "The snow covered the roofs during the night.",
        (
            "During the night {topic:the snow} {event:covered the roofs} like {vehicle:dust sheets in a house shut up for winter}.",
            "{topic:The snow} {event:covered the roofs} like {vehicle:flour on a baker’s forearms} during the night.",
            "{topic:The snow} {event:covered the roofs} like {vehicle:a rumour nobody could trace} during the night.",
            "{topic:The snow} {event:covered the roofs} like {vehicle:a blanket} during the night.",
            "{topic:The snow} {event:covered the roofs} like {vehicle:a quarrel} during the night.",
        ),
    ),
    (
        "The boy ran to the gate as soon as the bell rang.",
        (
            "As soon as the bell rang, {topic:the boy} {event:ran to the gate} like {vehicle:water that finds the drain}.",
            "{topic:The boy} {event:ran to the gate} like {vehicle:a kite whose string has snapped} as soon as the bell rang.",
            "{topic:The boy} {event:ran to the gate} like {vehicle:someone who hears his own name at last} as soon as the bell rang.",
            "{topic:The boy} {event:ran to the gate} like {vehicle:the wind} as soon as the bell rang.",
            "{topic:The boy} {event:ran to the gate} like {vehicle:a cupboard} as soon as the bell rang.",
        ),
    ),
    (
        "The promise meant nothing by spring.",
        (
            "By spring {topic:the promise} {event:meant nothing}, like {vehicle:a ticket to a show that has closed}.",
            "By spring {topic:the promise} {event:meant nothing}, like {vehicle:the address of a house that has been pulled down}.",
            "By spring {topic:the promise} {event:meant nothing}, like {vehicle:footprints on a beach after the tide}.",
            "By spring {topic:the promise} {event:meant nothing}, like {vehicle:empty words}.",
            "By spring {topic:the promise} {event:meant nothing}, like {vehicle:a cathedral}.",
        ),
    ),
)


def _item(number: int, place: int, literal: str, marked: str) -> DemoItem:
    simile, components = unmark(marked, "simile")
    return DemoItem(
        key=f"L{number}-{place}",
        group=f"L{number}",
        system=SYSTEMS[place - 1],
        fields={"literal": literal, "simile": simile},
        components=components,
    )


DEMO = Demo(
    items=tuple(
        _item(number, place, literal, marked)
        for number, (literal, candidates) in enumerate(GROUPS, start=1)
        for place, marked in enumerate(candidates, start=1)
    ),
    per_rater=10,
)
