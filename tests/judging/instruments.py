"""An instrument with a scale, options and a slider."""

from __future__ import annotations

from scoring.judging.instrument import AskedCriterion, Instrument, Point, ShownText

QUALITY = AskedCriterion(
    "quality",
    "Overall quality",
    "How good is it?",
    (
        Point("1", "bad"),
        Point("2"),
        Point("3", "fair", "Neither of them."),
        Point("4"),
        Point("5", "good"),
    ),
)
FIGURE = AskedCriterion("figure", "Figure", points=(Point("simile"), Point("metaphor"), Point("none")))
EFFORT = AskedCriterion("effort", "Effort", points=(Point("0", "none"), Point("100")), low=0, high=100)
INSTRUMENT = Instrument("Rate {every} sentence.", "Read it twice.", (QUALITY, FIGURE, EFFORT))
TEXTS = (ShownText("Literal", "He ran."), ShownText("Simile", "He ran like {the} wind."))
