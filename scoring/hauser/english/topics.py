"""What the vehicle is said of, and the verb that says it: from the comparator to the left."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hauser.english import lexicon
from scoring.hauser.english.phrases import (
    REACH,
    Phrase,
    phrase_ending_at,
    phrase_starting_at,
    with_what_it_is_of,
)
from scoring.hauser.english.tagging import Sentence
from scoring.hauser.word_list import word_list

# Verbs whose object is what the vehicle is said of: "she had a voice like thunder", "it made him pale as …".
WITH_OBJECT = word_list("""
    have has had having with make makes made making keep keeps kept keeping find finds found leave left leaves
    render rendered turn see saw seen wear wears wore consider considered treat treats treated
""")
# Participles that stand behind the noun that they describe.
SHAPING = word_list("""
    shaped designed made built painted dressed formed treated carved called decorated preserved constructed
    arranged fashioned filmed disguised coloured colored folded cut styled patterned structured printed sculpted
""")


@dataclass(frozen=True)
class Said:
    """What stands before a comparator: the topic, the verb of the event and a property, as tokens."""

    topic: Phrase | None
    event: int | None
    property: Phrase | None = None


def said_before(sentence: Sentence, comparator: int) -> Said:
    """The topic, event and property of the words before a comparator.

    Parameters
    ----------
    sentence : Sentence
    comparator : int
        Its first token.

    Returns
    -------
    Said
        Nothing in it where the comparator opens its clause.
    """
    place = _past(sentence, comparator - 1, 'Y,"')
    if opens_clause(sentence, place):
        return Said(None, None)
    verb = verb_before(sentence, place)
    if verb is None:
        return Said(_whole(sentence, place), None)
    if verb == place:
        return Said(subject_of(sentence, verb), verb)
    said = _with_complement(sentence, verb, place)
    if said.topic is None and sentence.tags[verb] in "BA":
        return Said(phrase_starting_at(sentence, verb + 1), verb)
    return said


def said_behind(sentence: Sentence, vehicle: Phrase) -> Said:
    """The topic and event of a comparison that opens its clause: `like lightning, he pounced`.

    Parameters
    ----------
    sentence : Sentence
    vehicle : Phrase

    Returns
    -------
    Said
        Nothing in it where no subject with its verb follows.
    """
    tags = sentence.tags
    place = vehicle.end + 1
    while place < len(tags) and place - vehicle.end < REACH and tags[place] not in ".:":
        if tags[place] in ",YIOT":
            place += 1
            continue
        subject = phrase_starting_at(sentence, place)
        if subject is None:
            return Said(None, None)
        verb = subject.end + 1
        while verb < len(tags) and tags[verb] in "YA":
            verb += 1
        if verb < len(tags) and tags[verb] in "BVE":
            return Said(subject, verb)
        place = subject.end + 1
    return Said(None, None)


def opens_clause(sentence: Sentence, place: int) -> bool:
    """Whether what follows a token opens a sentence or a clause.

    Parameters
    ----------
    sentence : Sentence
    place : int
        The token before it; -1 where there is none.

    Returns
    -------
    bool
    """
    if place < 0 or sentence.tags[place] in ".:S":
        return True
    return sentence.tags[place] == "C" and (place == 0 or sentence.tags[place - 1] in ".:")


def _past(sentence: Sentence, place: int, tags: str) -> int:
    while place >= 0 and sentence.tags[place] in tags:
        place -= 1
    return place


def _whole(sentence: Sentence, end: int) -> Phrase | None:
    phrase = phrase_ending_at(sentence, end)
    return with_what_it_is_of(sentence, phrase) if phrase else None


def verb_before(sentence: Sentence, place: int) -> int | None:
    """The nearest verb to the left within the clause.

    Parameters
    ----------
    sentence : Sentence
    place : int
        Where to begin.

    Returns
    -------
    int or None
    """
    tags = sentence.tags
    for at in range(place, max(-1, place - REACH), -1):
        tag = tags[at]
        if tag in "VB" or (tag == "A" and sentence.words[at] not in lexicon.MODALS):
            return at
        if tag in "EG" and not _modifies(tags, at):
            return at
        if tag in ".:S(":
            return None
    return None


def _modifies(tags: str, place: int) -> bool:
    """A participle between a determiner and its noun."""
    before = tags[place - 1] if place else "."
    after = tags[place + 1] if place + 1 < len(tags) else "."
    return before in "DZ#" and after in "NEG"


def _with_complement(sentence: Sentence, verb: int, place: int) -> Said:
    tags, words = sentence.tags, sentence.words
    phrase = phrase_ending_at(sentence, place)
    if phrase is None:
        return Said(subject_of(sentence, verb), verb)
    inside = tags[verb + 1 : place + 1]
    if words[verb] in WITH_OBJECT and (tags[verb] != "E" or tags[verb - 1] not in "B"):
        whole = with_what_it_is_of(sentence, phrase)
        is_reflexive = words[phrase.end].endswith(("self", "selves"))
        if _past(sentence, whole.start - 1, "Y") == verb and not is_reflexive:
            return _object_of(sentence, verb, whole)
    if phrase.start > 0 and words[phrase.start - 1] == "with":
        return Said(phrase, verb)
    is_adjective = "D" not in inside and "P" not in inside and "I" not in inside and inside.strip("Y,\"") != ""
    describes = tags[verb] == "B" or words[verb] in _DESCRIBING
    if is_adjective and describes:
        return Said(subject_of(sentence, verb), verb, phrase)
    return Said(subject_of(sentence, verb), verb)


_DESCRIBING = word_list("""
    look looks looked looking seem seems seemed sound sounds sounded feel feels felt feeling taste tastes tasted
    smell smells smelled smelt appear appears appeared become becomes became becoming remain remains remained
    stay stays stayed turn turns turned turning grow grows grew growing get gets got getting go goes went
""")


def _object_of(sentence: Sentence, verb: int, phrase: Phrase) -> Said:
    """`made his cloak invisible`: the object is the topic, and an adjective behind it the property."""
    return Said(phrase, verb)


def subject_of(sentence: Sentence, verb: int, least: int | None = None) -> Phrase | None:
    """What a verb is said of, as it stands: a pronoun remains one.

    Parameters
    ----------
    sentence : Sentence
    verb : int
        The verb's token.
    least : int, optional
        The search goes no further to the left; `REACH` tokens where not given.

    Returns
    -------
    Phrase or None
    """
    tags = sentence.tags
    place = verb - 1
    if least is None:
        least = max(-1, verb - REACH)
    while place > least:
        tag = tags[place]
        if tag == "G" and _opens_clause(tags, place):
            return Phrase(place, place)
        if tag in "EV" and tags[verb] in "BA" and not _modifies(tags, place):
            return _of_contact_clause(sentence, place)
        if tag in 'YAB"' or (tag in "VEG" and not _modifies(tags, place)):
            verb = verb if tag in 'Y"' else place
            place -= 1
        elif tag == "T":
            place = _past(sentence, place - 1, "Y")
            if place > least and sentence.words[place] in DISPOSED:
                place -= 1
            elif place > least and tags[place] in "NPZ)":
                return _whole(sentence, place)
        elif tag == ")":
            place = _past_brackets(sentence, place)
        elif tag == "R":
            return _antecedent(sentence, place)
        elif tag in "NPZ#D":
            return _before_participle(sentence, verb, place) or _whole_subject(sentence, place, verb)
        elif tag == ",":
            return _across_comma(sentence, place, verb, least)
        elif tag == "C":
            return _coordinated(sentence, place, least)
        else:
            return None
    return None


# Adjectives between a subject and "to": "it was able to float like …".
DISPOSED = word_list("""
    able unable ready likely unlikely sure certain bound eager willing free easy hard due enough prone happy content
    known afraid prepared inclined
""")
# Verbs before "to" that make no participle of themselves: "it seemed to float like …".
BEFORE_TO = word_list("""
    seemed appeared began started continued tried wanted attempted wished hoped tended decided came grew got managed
    learned learnt needed used liked loved hated happened proved refused agreed
""")


def _before_participle(sentence: Sentence, verb: int, place: int) -> Phrase | None:
    """The nearest noun where the verb is a participle that describes it: `a house shaped like`."""
    word = sentence.words[verb]
    to_follows = verb + 1 < len(sentence.tags) and sentence.tags[verb + 1] == "T"
    if sentence.tags[verb] == "E" and (word in SHAPING or (to_follows and word not in BEFORE_TO)):
        return phrase_ending_at(sentence, place)
    return None


def _opens_clause(tags: str, place: int) -> bool:
    return place == 0 or tags[place - 1] in '.:S",C('


def _of_contact_clause(sentence: Sentence, verb: int) -> Phrase | None:
    """`the cake which she baked was`: the noun before the clause that ends in `verb`."""
    place = _past(sentence, verb - 1, "YAB")
    inner = phrase_ending_at(sentence, place)
    if inner is None or inner.start == 0:
        return inner
    if _is_relative(sentence, inner.start - 1):
        return _antecedent(sentence, inner.start - 1)
    return phrase_ending_at(sentence, inner.start - 1) or inner


def _past_brackets(sentence: Sentence, place: int) -> int:
    for at in range(place - 1, max(-1, place - REACH), -1):
        if sentence.tags[at] == "(":
            return at - 1
    return place - 1


def _antecedent(sentence: Sentence, relative: int) -> Phrase | None:
    if relative > 1 and sentence.tags[relative - 1] == "O" and sentence.tags[relative - 2] in "NP":
        return phrase_ending_at(sentence, relative - 2)
    place = _past(sentence, relative - 1, ',"I')
    if place >= 0 and sentence.tags[place] == ")":
        place = _past_brackets(sentence, place)
    phrase = phrase_ending_at(sentence, place) if place >= 0 else None
    if phrase is None:
        return Phrase(relative, relative)
    if phrase.start > 0 and sentence.tags[phrase.start - 1] == "O":
        return with_what_it_is_of(sentence, phrase)
    return _owner(sentence, phrase, past_participles=False)


def _whole_subject(sentence: Sentence, end: int, verb: int) -> Phrase | None:
    phrase = phrase_ending_at(sentence, end)
    if phrase is None:
        return None
    whole = with_what_it_is_of(sentence, phrase)
    if sentence.words[verb] in ("are", "were", "have") and sentence.words[whole.start - 1] == "and":
        partner = phrase_ending_at(sentence, whole.start - 2) if whole.start > 1 else None
        if partner is not None:
            return Phrase(partner.start, whole.end)
    is_pronoun = phrase == whole and sentence.tags[max(0, phrase.start - 1)] not in "IOT" and sentence.words[phrase.start] in lexicon.SUBJECT_PRONOUNS
    if is_pronoun and phrase.start == phrase.end:
        return phrase
    return _activity_before(sentence, whole, end) or _owner(sentence, whole)


NAMING = word_list("called named dubbed titled known nicknamed entitled")


SAYING = word_list("""
    believe believes believed think thinks thought say says said know knows knew claim claims claimed state states
    stated feel feels felt show shows showed suggest suggests suggested
""")


def _is_passive(sentence: Sentence, verb: int, behind: Phrase) -> bool:
    """`a box made of wood`: a participle with a preposition before its noun."""
    if sentence.tags[verb - 1 : verb + 1] != "NE" or sentence.words[verb] in SAYING:
        return False
    return verb + 1 < behind.start and sentence.tags[verb + 1] in "IO"


def _is_relative(sentence: Sentence, place: int) -> bool:
    after_noun = place > 0 and sentence.tags[place - 1] == "N" and sentence.words[place] == "that"
    return sentence.tags[place] == "R" or after_noun


def _owner(sentence: Sentence, phrase: Phrase, *, past_participles: bool = True) -> Phrase:
    """Where the phrase is the object of a clause about an earlier noun, that noun.

    `the boy who hurt his leg`, `a rapier called Tomboy` and `the street leading to the station` are about
    the boy, the rapier and the street.
    """
    tags = sentence.tags
    for _ in range(3):
        at = _past(sentence, phrase.start - 1, "ITYO")
        if at > 0 and tags[at] == "R" and at < phrase.start - 1:
            return _antecedent(sentence, at) or phrase
        if at < 1 or tags[at] not in "VEGB":
            return phrase
        before = _past(sentence, at - 1, "YAB")
        if before < 0:
            return phrase
        if _is_relative(sentence, before) and sentence.words[at] not in SAYING:
            earlier = phrase_ending_at(sentence, _past(sentence, before - 1, ',"I'))
        elif (tags[at] == "G" and tags[at - 1] not in "B") or sentence.words[at] in NAMING:
            earlier = phrase_ending_at(sentence, before)
        elif past_participles and before == at - 1 and _is_passive(sentence, at, phrase):
            earlier = phrase_ending_at(sentence, before)
        elif tags[before] == "P" and at + 1 < phrase.start and tags[before - 1] == "N":
            earlier = phrase_ending_at(sentence, before - 1)
        else:
            return phrase
        if earlier is None:
            return phrase
        phrase = with_what_it_is_of(sentence, earlier)
    return phrase


def _activity_before(sentence: Sentence, whole: Phrase, end: int) -> Phrase | None:
    """`talking to him was`: the whole activity is the subject where its clause begins with it."""
    tags = sentence.tags
    for at in range(whole.start - 1, max(-1, whole.start - 12), -1):
        if tags[at] == "G" and (at == 0 or tags[at - 1] in '.:S",C('):
            return Phrase(at, end)
        if tags[at] not in "DNZPIOY#TV()":
            return None
    return None


def _across_comma(sentence: Sentence, comma: int, verb: int, least: int) -> Phrase | None:
    """Past a parenthesis between commas, or to the earlier verb of the same subject."""
    tags = sentence.tags
    described = _before_participle(sentence, verb, comma - 1)
    if described and (tags[described.start] == "D" or sentence.words[described.end].endswith("s")):
        return described
    for at in range(comma - 1, max(0, comma - 25), -1):
        if tags[at] in ".:":
            break
        if tags[at] == "," and at + 1 < comma and tags[at + 1] in "DIREGNWYS" and tags[at - 1] in "NPZ)\"":
            if tags[at + 1] not in "RS" and _has_verb_of_its_own(tags[at + 1 : comma]):
                continue
            return _whole(sentence, at - 1)
    earlier = _coordinated(sentence, comma, least)
    return earlier or (phrase_ending_at(sentence, comma - 1) if tags[verb] == "E" else None)


def _has_verb_of_its_own(tags: str) -> bool:
    """A finite verb that is not within a relative clause."""
    before_relative = tags.partition("R")[0]
    return any(tag in "VBA" for tag in before_relative)


def _coordinated(sentence: Sentence, place: int, least: int) -> Phrase | None:
    """The subject of the nearest verb before: `it coils and springs`."""
    tags = sentence.tags
    at = place - 1
    while at > least:
        if tags[at] in ".:":
            return None
        if tags[at] in "VBA" or (tags[at] == "E" and not _modifies(tags, at)):
            subject = subject_of(sentence, at, least) if at > 0 else None
            if subject is not None or tags[at] != "E":
                return subject
        at -= 1
    return None
