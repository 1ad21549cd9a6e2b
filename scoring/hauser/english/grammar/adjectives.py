"""Adjectives that an image can grade: "hard as stone", "harder than stone"."""

from __future__ import annotations

from scoring.hauser.base.word_list import word_list

GRADED = word_list("""
    agile alert angry bald barren big bitter black blank bleak blind blue bold brave brief bright brittle
    brown busy calm careful careless cheap cheerful clean clear clever clumsy cold comfortable common cool
    crazy crisp crooked cruel cunning cute damp dangerous dark dead deadly deaf deep delicate dense dirty
    drab drunk dry dull dumb eager easy elegant empty even faint fair faithful false fast fat fierce fine
    firm fit flat flexible fluffy foul fragile free fresh friendly frightened full funny fuzzy gentle glad
    gloomy golden good graceful grand gray greedy green grey grim guilty handsome happy hard harmless heavy
    helpless hollow honest hot huge humble hungry icy idle immovable innocent jolly keen large lazy lean
    light limp little lively lonely loose loud lovely loyal mad massive mean meek merry mild mighty
    miserable motionless mute naked narrow nasty neat nervous nimble noisy obvious odd old pale patient
    peaceful plain playful pleased plump poor pretty prickly proud pure quick quiet ragged rare raw ready
    red restless rich ripe rosy rotten rough round rude sad safe salty savage scarce secret serene shallow
    sharp shiny shy sick silent silky silly simple sleek sleepy slender slick slim slippery slow sly small
    smart smooth snug sober soft solemn solid sour spry square stable stale steady steep stern sticky stiff
    still stout straight strange strong stubborn stupid subtle sudden sure surly sweet swift tall tame tart
    tasty tender tense thick thin tidy tight timid tiny tired tiresome tough transparent treacherous true
    ugly unstable useless vain vast vicious warm wary watchful weak weary weightless welcome wet white wicked
    wide wild willing wise wobbly worthless yellow
""")
VOWELS = "aeiou"


def _comparatives(adjective: str) -> tuple[str, ...]:
    """The forms in -er; of a short word with its last letter doubled as well."""
    if adjective.endswith("e"):
        return (adjective + "r",)
    if adjective.endswith("y"):
        return (adjective[:-1] + "ier",)
    return adjective + "er", adjective + adjective[-1] + "er"


COMPARATIVES = frozenset(form for adjective in GRADED for form in _comparatives(adjective))
