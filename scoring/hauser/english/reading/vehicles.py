"""What something is compared with: the phrase behind the comparator with what it needs."""

from __future__ import annotations

from scoring.hauser.english.grammar.lexicon import DESCRIBING_PARTICIPLES, SUBJECT_PRONOUNS
from scoring.hauser.english.grammar.phrases import REACH, Phrase, phrase_starting_at
from scoring.hauser.english.grammar.tagging import Sentence

# Prepositions after which a scene belongs to its vehicle: "a kid in a candy store".
SCENE = frozenset({"in", "on", "at", "from", "for", "without", "under", "during", "to"})


def vehicle_from(sentence: Sentence, start: int) -> Phrase | None:
    """The vehicle that begins at a token behind the comparator.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    start : int
        The token behind the comparator.

    Returns
    -------
    Phrase or None
        None where no noun phrase and no activity begins there.
    """
    start = _past_what_softens(sentence, start)
    if start < len(sentence.tags) and sentence.tags[start] == "G" and not describes_noun(sentence, start):
        return _activity(sentence, start)
    core = phrase_starting_at(sentence, start)
    if core is None:
        return None
    whole = _with_of(sentence, core)
    return _with_doing(sentence, core, whole) or _with_scene(sentence, whole)


def _past_what_softens(sentence: Sentence, start: int) -> int:
    tags = sentence.tags
    while start < len(tags) and (tags[start] in 'Y"K'):
        start += 1
    return start


def describes_noun(sentence: Sentence, position: int) -> bool:
    """Whether a participle describes the noun behind it: `burning coals`, not `burning wood`.

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
    end = start
    for _ in range(3):
        step = end + 1
        if step < len(sentence.tags) and sentence.tags[step] in "IOYT" and sentence.tags[step] != "T":
            step += 1
        longer = phrase_starting_at(sentence, step)
        if longer is None or sentence.words[longer.start] in SUBJECT_PRONOUNS:
            break
        end = _with_of(sentence, longer).end
    return Phrase(start, end)


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
    """Longer by what it does, where no article makes it one of a kind: `children playing in the snow`."""
    doing = whole.end + 1
    noun = phrase_starting_at(sentence, core.end + 2) if whole != core else core
    if doing + 1 >= len(sentence.tags) or sentence.tags[doing] != "G" or noun is None:
        return None
    if sentence.words[noun.start] in ("a", "an") or sentence.tags[core.start] == "P":
        return None
    activity = _activity(sentence, doing)
    return Phrase(whole.start, activity.end) if activity.end > doing else None


def _with_scene(sentence: Sentence, phrase: Phrase) -> Phrase:
    """Longer by a preposition and an indefinite noun at the end of the clause."""
    behind = phrase.end + 1
    words, tags = sentence.words, sentence.tags
    if behind + 1 >= len(tags) or words[behind] not in SCENE or words[behind + 1] not in ("a", "an"):
        return phrase
    scene = phrase_starting_at(sentence, behind + 1)
    if scene is None:
        return phrase
    return Phrase(phrase.start, _with_of(sentence, scene).end)


def vehicle_of_clause(sentence: Sentence, start: int) -> Phrase | None:
    """The vehicle behind `as if` and `as though`, from the first token behind the comparator.

    Parameters as of `vehicle_from`.

    Returns
    -------
    Phrase or None
        The noun of `as if he were a king`; otherwise the clause up to its end.
    """
    subject = phrase_starting_at(sentence, start)
    if subject is not None and sentence.tags[subject.start] == "P":
        behind = subject.end + 1
        if sentence.tags[behind : behind + 1] == "B" and sentence.tags[behind + 1 : behind + 2] in ("D", "N"):
            named = vehicle_from(sentence, behind + 1)
            if named is not None and sentence.tags[named.start] == "D":
                return named
    end = start
    limit = min(len(sentence.tags), start + REACH)
    while end < limit and sentence.tags[end] not in '.,:"()SKL':
        end += 1
    return Phrase(start, end - 1) if end > start else None
