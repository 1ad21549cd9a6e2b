"""The vehicle of a comparison: the phrase after the comparator with its complements."""

from __future__ import annotations

from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar.lexicon import (
    DESCRIBING_PARTICIPLES,
    INDEFINITE,
    POSSESSIVES,
    SUBJECT_PRONOUNS,
)
from scoring.hauser.english.grammar.phrases import LONGEST, REACH, Phrase, phrase_starting_at
from scoring.hauser.english.grammar.tagging import Sentence

# Prepositions that say where or when the vehicle is, or what it lacks: "a kid in a candy store".
SCENE = word_list("in on at from under without during into inside outside behind beneath among between near")
LONGEST_ACTIVITY = 25
# Adverbs that end an activity: "to throw garbage away".
PARTICLES = frozenset(
    {"away", "back", "down", "up", "apart", "together", "out", "home", "off", "uphill", "blindfold"}
)


def vehicle_from(
    sentence: Sentence, start: int, *, is_copular: bool = False, appears: bool = False
) -> Phrase | None:
    """The vehicle that begins at a token after the comparator.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    start : int
        The token after the comparator.
    is_copular : bool
        The verb before is a form of `be`: what follows the noun describes the noun, not the activity.
    appears : bool
        The verb before is one such as `look` or `seem`: as with `is_copular`, except that a definite place is
        where the topic is.

    Returns
    -------
    Phrase or None
        None where no noun phrase and no activity begins there.
    """
    start = _past_what_softens(sentence, start)
    is_done = sentence.tags[start : start + 1] == "G" or sentence.words[start : start + 1] == ["being"]
    if is_done and not describes_noun(sentence, start):
        return _activity(sentence, start)
    core = phrase_starting_at(sentence, start)
    if core is None:
        return None
    whole = _with_partner(sentence, _with_of(sentence, core))
    is_that_of = sentence.tags[start : start + 2] == "PO"  # "that of a child in pain"
    is_indefinite = is_that_of or sentence.words[core.start] in INDEFINITE
    if appears and is_indefinite and "the" not in sentence.words[whole.end + 1 : whole.end + 3]:
        return _with_description(sentence, whole)
    lacks = sentence.words[whole.end + 1 : whole.end + 2] == ["without"]
    if is_that_of or (is_copular and (is_indefinite or lacks)):
        return _with_description(sentence, whole)
    return _with_doing(sentence, core, whole) or _with_scene(sentence, whole)


def _past_what_softens(sentence: Sentence, start: int) -> int:
    tags = sentence.tags
    while start < len(tags) and (tags[start] in 'Y"K'):
        start += 1
    return start


def describes_noun(sentence: Sentence, position: int) -> bool:
    """Whether a participle describes the noun after it: `burning coals`, not `burning wood`.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    position : int
        The participle.
    """
    return (
        sentence.words[position] in DESCRIBING_PARTICIPLES
        and sentence.tags[position + 1 : position + 2] == "N"
    )


def _activity(sentence: Sentence, start: int) -> Phrase:
    """The activity with its objects and circumstances, up to the next clause."""
    tags = sentence.tags
    end = start
    while end + 1 < len(tags) and end - start < LONGEST_ACTIVITY and not _ends_activity(sentence, end + 1):
        end += 1
    while end > start and tags[end] in "ICTOYD" and sentence.words[end] not in PARTICLES:
        end -= 1
    return Phrase(start, end)


def _ends_activity(sentence: Sentence, position: int) -> bool:
    tags, tag = sentence.tags, sentence.tags[position]
    if tag in '.,:"()SRLKWB':
        return True
    if tag == "P":
        return tags[position - 1] in "NY" and sentence.words[position] in SUBJECT_PRONOUNS
    after = tags[position + 1 : position + 2]
    if tag == "C":
        is_done_too = after in ("N", "D", "G", "#") or tags[position + 1 : position + 3] == "YG"
        return not is_done_too or has_verb_behind(sentence, position + 1)
    return tag in "VA" and tags[position - 1] != "T"


def has_verb_behind(sentence: Sentence, start: int) -> bool:
    """Whether the noun phrase that begins at a token is a subject with its verb.

    Parameters as of `vehicle_from`.
    """
    subject = phrase_starting_at(sentence, start)
    return subject is not None and sentence.tags[subject.end + 1 : subject.end + 2] in ("V", "B", "A", "E")


def _with_partner(sentence: Sentence, phrase: Phrase) -> Phrase:
    """`the sun and the moon`: a second noun that ends the clause."""
    tags, second = sentence.tags, phrase.end + 2
    if sentence.words[phrase.end + 1 : second] not in (["and"], ["or"]) or tags[second : second + 1] not in (
        "D",
        "N",
    ):
        return phrase
    partner = phrase_starting_at(sentence, second)
    if partner is None or tags[partner.end + 1 : partner.end + 2] not in ("", *'.,:")R'):
        return phrase
    return Phrase(phrase.start, partner.end)


def _with_description(sentence: Sentence, phrase: Phrase) -> Phrase:
    """The phrase with a description of its noun: a preposition with a noun, an activity or a purpose."""
    for _ in range(3):
        longer = _with_next_description(sentence, phrase)
        if longer is None:
            break
        phrase = longer
    return phrase


def _with_next_description(sentence: Sentence, phrase: Phrase) -> Phrase | None:
    tags, behind = sentence.tags, phrase.end + 1
    tag, after = tags[behind : behind + 1], tags[behind + 1 : behind + 2]
    is_purpose = tag == "T" and (after == "V" or tags[behind + 1 : behind + 3] == "EI")
    if tag == "G" or is_purpose or (tag == "E" and after in ("I", "T")):
        return Phrase(phrase.start, _activity(sentence, behind + (tag == "T")).end)
    if tag == "" or after == "P" or not _opens_scene(sentence, behind):
        return None
    if after == "G":
        return Phrase(phrase.start, _activity(sentence, behind + 1).end)
    scene = phrase_starting_at(sentence, behind + 1)
    if scene is None:
        return None
    return Phrase(phrase.start, _with_partner(sentence, _with_of(sentence, scene)).end)


def _opens_scene(sentence: Sentence, position: int) -> bool:
    """`in` or `without` with a noun; `after` with a noun and no verb."""
    if sentence.words[position] == "after":
        return not has_verb_behind(sentence, position + 1)
    is_own = sentence.words[position + 1 : position + 2] != [] and sentence.words[position + 1] in POSSESSIVES
    return sentence.words[position] in SCENE or (sentence.words[position] == "with" and not is_own)


def _with_of(sentence: Sentence, phrase: Phrase) -> Phrase:
    for _ in range(3):
        if phrase.end + 1 >= len(sentence.tags) or sentence.tags[phrase.end + 1] != "O":
            break
        longer = phrase_starting_at(sentence, phrase.end + 2)
        if longer is None:
            break
        phrase = Phrase(phrase.start, longer.end)
    return phrase


def _with_doing(sentence: Sentence, core: Phrase, whole: Phrase) -> Phrase | None:
    """The phrase with its activity, if no article makes it one of a kind: `children playing in the snow`."""
    doing = whole.end + 1
    noun = phrase_starting_at(sentence, core.end + 2) if whole != core else core
    if doing + 1 >= len(sentence.tags) or sentence.tags[doing] != "G" or noun is None:
        return None
    if sentence.words[noun.start] in ("a", "an") or sentence.tags[core.start] == "P":
        return None
    activity = _activity(sentence, doing)
    return Phrase(whole.start, activity.end) if activity.end > doing else None


def _with_scene(sentence: Sentence, phrase: Phrase) -> Phrase:
    """The phrase with a preposition and an indefinite noun: `climbed like a snail on a wall`."""
    behind = phrase.end + 1
    words = sentence.words
    if behind + 1 >= len(words):
        return phrase
    has_scene = words[behind] in SCENE and words[behind + 1] in INDEFINITE
    if not has_scene and (words[behind] != "with" or sentence.tags[behind + 1] not in "N#"):
        return phrase
    scene = phrase_starting_at(sentence, behind + 1)
    return phrase if scene is None else Phrase(phrase.start, _with_of(sentence, scene).end)


def to_comma(sentence: Sentence, phrase: Phrase) -> Phrase:
    """The vehicle in front of its clause, with all before the comma: `like a bell in a chapel, …`.

    `phrase` is the vehicle as `vehicle_from` finds it.
    """
    comma = sentence.tags.find(",", phrase.end, phrase.end + LONGEST)
    behind = sentence.tags[phrase.end + 1 : max(comma, 0)].rstrip('"')
    is_one = behind[:1] in ("I", "O", "G") and set(behind) <= set('IDNO#ZEGY"')
    return Phrase(phrase.start, comma - 1) if is_one else phrase


def vehicle_of_clause(sentence: Sentence, start: int) -> Phrase | None:
    """The vehicle after `as if` and `as though`, from the first token after the comparator.

    Parameters as of `vehicle_from`.

    Returns
    -------
    Phrase or None
        The noun of `as if he were a king`; otherwise the clause up to its end.
    """
    subject = phrase_starting_at(sentence, start)
    if subject is not None and sentence.tags[subject.start] == "P":
        behind = subject.end + 1
        behind += sentence.tags[behind : behind + 2] == "AB"  # "had been"
        if sentence.tags[behind : behind + 1] == "B" and sentence.tags[behind + 1 : behind + 2] in ("D", "N"):
            named = vehicle_from(sentence, behind + 1)
            if named is not None and sentence.tags[named.start] == "D":
                return named
    return clause_from(sentence, start)


def clause_from(sentence: Sentence, start: int) -> Phrase | None:
    """The clause that begins at a token, up to the next mark or conjunction; None where it is empty.

    Parameters as of `vehicle_from`.
    """
    end = start
    limit = min(len(sentence.tags), start + REACH)
    tags = sentence.tags
    while end < limit and (tags[end] not in '.,:"()SKL' or tags[end - 1 : end + 1] == "CS"):
        end += 1
    while end > start and tags[end - 1] == "C":
        end -= 1
    return Phrase(start, end - 1) if end > start else None
