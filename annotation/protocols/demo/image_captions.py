"""Pictures of the project’s own, drawn from a few shapes, each with two captions."""

from __future__ import annotations

from annotation.protocols.markup import unmark
from annotation.protocols.template import Demo, DemoItem, DemoPicture, Shape

PAPER, MIST, LEAF, MOSS, NIGHT = "#f8f9f6", "#d4e6dd", "#6aa78d", "#2c7a5f", "#174c3d"
FLOOD = DemoPicture(
    "flood.png",
    "A gabled house and a long low building stand at the edge of still water under a pale sun.",
    PAPER,
    (
        Shape("ellipse", (560, 50, 640, 130), MIST),
        Shape("rectangle", (0, 300, 720, 420), MIST),
        Shape("polygon", (90, 300, 90, 150, 210, 80, 330, 150, 330, 300), LEAF),
        Shape("rectangle", (330, 190, 580, 300), MOSS),
        Shape("rectangle", (190, 240, 230, 300), NIGHT),
        Shape("rectangle", (150, 170, 184, 214), PAPER),
        Shape("rectangle", (236, 170, 270, 214), PAPER),
    ),
)
HILL = DemoPicture(
    "hill.png",
    "One bare tree stands on a round hill at night; a thin moon is above it.",
    NIGHT,
    (
        Shape("ellipse", (540, 50, 610, 120), MIST),
        Shape("ellipse", (520, 40, 590, 110), NIGHT),
        Shape("ellipse", (60, 260, 660, 760), MOSS),
        Shape("rectangle", (352, 130, 368, 265), MIST),
        Shape("polygon", (360, 180, 300, 120, 306, 114, 362, 168), MIST),
        Shape("polygon", (360, 200, 430, 130, 436, 136, 362, 214), MIST),
    ),
)
BOATS = DemoPicture(
    "boats.png",
    "Three small sailing boats lie in a row on flat water; the last one leans to the side.",
    MIST,
    (
        Shape("rectangle", (0, 280, 720, 420), LEAF),
        *(
            shape
            for left in (90, 300)
            for shape in (
                Shape("polygon", (left, 260, left + 120, 260, left + 95, 300, left + 25, 300), NIGHT),
                Shape("polygon", (left + 60, 100, left + 60, 250, left + 120, 250), PAPER),
            )
        ),
        Shape("polygon", (520, 280, 636, 240, 626, 290, 558, 312), NIGHT),
        Shape("polygon", (530, 110, 580, 250, 640, 228), PAPER),
    ),
)
CAPTIONS = (
    (FLOOD, "The town stood in the flood like {vehicle:a guest who had come too early}."),
    (FLOOD, "The houses were as wet as {vehicle:water}."),
    (HILL, "The tree waited on the hill like {vehicle:the last person at a bus stop}."),
    (HILL, "The moon hung over the hill like {vehicle:a moon}."),
    (BOATS, "The boats lay in the bay like {vehicle:shoes outside a bedroom}."),
    (BOATS, "The sails were as white as {vehicle:a mountain of iron}."),
)


def _item(number: int, picture: DemoPicture, marked: str) -> DemoItem:
    caption, components = unmark(marked, "caption")
    return DemoItem(
        key=f"caption-{number}",
        group=picture.name.removesuffix(".png"),
        fields={"picture": picture.name, "caption": caption},
        components=components,
    )


DEMO = Demo(
    items=tuple(_item(number, *one) for number, one in enumerate(CAPTIONS, start=1)),
    pictures=(FLOOD, HILL, BOATS),
)
