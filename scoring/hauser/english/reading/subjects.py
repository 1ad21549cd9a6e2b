"""The subject of a verb, at any distance to the left."""

from __future__ import annotations

from collections.abc import Callable

from scoring.hauser.base.word_list import word_list
from scoring.hauser.english.grammar import lexicon, verbs
from scoring.hauser.english.grammar.phrases import (
    REACH,
    Phrase,
    phrase_ending_at,
    whole_phrase_ending_at,
    with_what_it_is_of,
)
from scoring.hauser.english.grammar.tagging import Sentence
from scoring.hauser.english.grammar.token_steps import modifies, past, past_brackets
from scoring.hauser.english.reading.reporting import is_reporting

# A parenthesis between commas has at most this many tokens.
PARENTHESIS = 25
# Participles that follow the noun that they describe.
SHAPING = word_list("""
    shaped designed made built painted dressed formed treated carved called decorated preserved
    constructed arranged fashioned filmed disguised coloured colored folded cut styled patterned
    structured printed sculpted
""")
# Adjectives between a subject and "to": "it was able to float like …".
DISPOSED = word_list("""
    able unable ready likely unlikely sure certain bound eager willing free easy hard due enough prone
    happy content known afraid prepared inclined
""")
# Nouns between a subject and "to": "it has the power to float like …".
ABLENESS = word_list("ability capability power tendency capacity potential freedom strength")
NAMING = word_list("called named dubbed titled known nicknamed entitled")
# Verbs with a clause as their object: "they say that …".
CLAUSE_TAKING = word_list("""
    believe believes believed think thinks thought say says said know knows knew claim claims claimed
    state states stated feel feels felt show shows showed suggest suggests suggested
""")


def subject_of(sentence: Sentence, verb: int, least: int | None = None) -> Phrase | None:
    """The subject of a verb as written: a pronoun remains one.

    Parameters
    ----------
    sentence : Sentence
        The sentence.
    verb : int
        The verb's token.
    least : int, optional
        The search goes no further to the left; `REACH` tokens where not given.
    """
    position = verb - 1
    if least is None:
        least = max(-1, verb - REACH)
    while position > least:
        further = _step_over(sentence, position, verb)
        if further is None:
            find = FIND.get(sentence.tags[position])
            return find(sentence, position, verb, least) if find else None
        position, verb = further
    return None


def _step_over(sentence: Sentence, position: int, verb: int) -> tuple[int, int] | None:
    """Where to look next, and for the subject of which verb; None where the subject is found or lost."""
    tags, tag = sentence.tags, sentence.tags[position]
    if tag in "VEG" and not modifies(tags, position):
        is_finite = position == verb - 1 and sentence.words[verb] in verbs.THIRD_PERSONS
        is_finite = is_finite or tags[verb] in "BA" or tags[position : verb + 1] == "EE"
        ends_clause = tag in "EV" and is_finite
        return (
            None
            if ends_clause or (tag == "G" and _opens_clause(tags, position))
            else (position - 1, position)
        )
    if tag in 'YAB"':
        return position - 1, verb if tag in 'Y"' else position
    if tag == ")":
        return past_brackets(sentence, position), verb
    return _past_to(sentence, past(sentence, position - 1, "Y"), verb) if tag == "T" else None


def _past_to(sentence: Sentence, before: int, verb: int) -> tuple[int, int] | None:
    """Where to look next before the `to` of a verb; None where the noun before it is the subject."""
    if before < 0 or sentence.words[before] in DISPOSED:
        return before - 1, verb
    if sentence.tags[before] not in "NPZ)":
        return before, verb
    phrase = phrase_ending_at(sentence, before)
    if phrase is None or phrase.start == 0:
        return None
    governor = phrase.start - 1
    if sentence.words[before] in ABLENESS:
        return governor, verb
    is_aside = sentence.tags[governor] == "I" and sentence.words[governor] != "for"
    return (governor - 1, verb) if is_aside else None


def _before_participle(sentence: Sentence, verb: int, position: int) -> Phrase | None:
    """The nearest noun where the verb is a participle that describes it: `a house shaped like`."""
    to_follows = verb + 1 < len(sentence.tags) and sentence.tags[verb + 1] == "T"
    if sentence.tags[verb] == "G":  # "with its windows shining like"
        phrase = phrase_ending_at(sentence, position)
        return phrase if phrase and sentence.words[: phrase.start][-1:] == ["with"] else None
    if sentence.tags[verb] == "E" and (sentence.words[verb] in SHAPING or to_follows):
        return phrase_ending_at(sentence, position)
    return None


def _opens_clause(tags: str, position: int) -> bool:
    return position == 0 or tags[position - 1] in '.:S",C('


def _of_contact_clause(sentence: Sentence, verb: int) -> Phrase | None:
    """`the letter which he wrote was`: the noun before the clause that ends in `verb`."""
    position = past(sentence, verb - 1, "YAB")
    inner = phrase_ending_at(sentence, position)
    if inner is None or inner.start == 0:
        return inner
    if _is_relative(sentence, inner.start - 1):
        return _antecedent(sentence, inner.start - 1)
    return phrase_ending_at(sentence, inner.start - 1) or inner


def _antecedent(sentence: Sentence, relative: int) -> Phrase | None:
    """The noun of a relative pronoun; the pronoun itself where there is none."""
    phrase = _noun_before(sentence, relative)
    if phrase is None:
        return Phrase(relative, relative)
    if phrase.start > 0 and sentence.tags[phrase.start - 1] == "O":
        return with_what_it_is_of(sentence, phrase)
    return _owner(sentence, phrase, past_participles=False)


def _noun_before(sentence: Sentence, relative: int) -> Phrase | None:
    """The noun before a relative pronoun: `many` of `many of which`."""
    if relative > 1 and sentence.tags[relative - 1] == "O" and sentence.tags[relative - 2] in "NP":
        return phrase_ending_at(sentence, relative - 2)
    position = past(sentence, relative - 1, ',"I(')
    if position >= 0 and sentence.tags[position] == ")":
        position = past_brackets(sentence, position)
    return phrase_ending_at(sentence, position) if position >= 0 else None


def _whole_subject(sentence: Sentence, end: int, verb: int) -> Phrase | None:
    if _is_reflexive(sentence, end) and sentence.tags[end - 1] in "NP":
        end -= 1
    phrase = phrase_ending_at(sentence, end)
    if phrase is None:
        return None
    whole = with_what_it_is_of(sentence, phrase)
    joined = _joined_subject(sentence, whole, verb)
    if joined is not None:
        return joined
    if phrase == whole and phrase.start == phrase.end and _is_subject_pronoun(sentence, phrase.start):
        return phrase
    relative = past(sentence, whole.start - 1, "ITYO")
    if 0 < relative < whole.start - 1 and sentence.tags[relative] == "R":
        return _antecedent(sentence, relative)
    activity = _activity_before(sentence, whole, end)
    return activity or _with_restriction(sentence, whole, phrase, verb) or _owner(sentence, whole)


def _with_restriction(sentence: Sentence, head: Phrase, last: Phrase, verb: int) -> Phrase | None:
    """`a town without a library` before `is`: a kind of thing with what makes it one."""
    if sentence.tags[verb] != "B" or last.end <= head.end:
        return None
    is_kind = sentence.words[head.start] in lexicon.INDEFINITE
    is_kind = is_kind or "without" in sentence.words[head.end + 1 : last.start]
    return Phrase(head.start, last.end) if is_kind else None


def _joined_subject(sentence: Sentence, last: Phrase, verb: int) -> Phrase | None:
    """`he and I` before `were`; `Anna and Tom` before `rose`, where they open the clause."""
    if last.start < 2 or sentence.words[last.start - 1] != "and":
        return None
    partner = phrase_ending_at(sentence, last.start - 2)
    if partner is None or sentence.words[verb] in verbs.THIRD_PERSONS | {"is", "was", "has"}:
        return None
    is_plural = sentence.words[verb] in ("are", "were", "have")
    opens = _opens_clause(sentence.tags, partner.start)
    return Phrase(partner.start, last.end) if is_plural or opens else None


def _is_subject_pronoun(sentence: Sentence, position: int) -> bool:
    governed = position > 0 and sentence.tags[position - 1] in "IOT"
    return not governed and sentence.words[position] in lexicon.SUBJECT_PRONOUNS


def _is_passive(sentence: Sentence, verb: int, behind: Phrase) -> bool:
    """`a box made of wood`: a participle with a preposition before its noun."""
    if sentence.tags[verb - 1 : verb + 1] != "NE" or sentence.words[verb] in CLAUSE_TAKING:
        return False
    return verb + 1 < behind.start and sentence.tags[verb + 1] in "IO"


def _is_relative(sentence: Sentence, position: int) -> bool:
    after_noun = position > 0 and sentence.tags[position - 1] == "N" and sentence.words[position] == "that"
    return sentence.tags[position] == "R" or after_noun


def _owner(sentence: Sentence, phrase: Phrase, *, past_participles: bool = True) -> Phrase:
    """Where the phrase is the object of a clause about an earlier noun, that noun.

    `the girl who lost her keys`, `a ship called Hope` and `the path leading to the lake` are about the girl,
    the ship and the path.
    """
    for _ in range(3):
        earlier = _owner_of_clause(sentence, phrase, past_participles=past_participles)
        if earlier is None:
            return phrase
        phrase = with_what_it_is_of(sentence, earlier)
    return phrase


def _owner_of_clause(sentence: Sentence, phrase: Phrase, *, past_participles: bool) -> Phrase | None:
    """The noun before the clause whose object the phrase is; None where there is no such clause."""
    tags = sentence.tags
    verb = past(sentence, phrase.start - 1, "ITYO")
    before = past(sentence, verb - 1, "YAB")
    if verb < 1 or tags[verb] not in "VEGB" or before < 0:
        return None
    if _is_relative(sentence, before) and sentence.words[verb] not in CLAUSE_TAKING:
        return phrase_ending_at(sentence, past(sentence, before - 1, ',"I'))
    is_passive = past_participles and before == verb - 1 and _is_passive(sentence, verb, phrase)
    if is_passive or sentence.words[verb] in NAMING or (tags[verb] == "G" and tags[verb - 1] != "B"):
        return phrase_ending_at(sentence, before)
    is_contact_clause = tags[before] == "P" and verb + 1 < phrase.start and tags[before - 1] == "N"
    return phrase_ending_at(sentence, before - 1) if is_contact_clause else None


def _activity_before(sentence: Sentence, whole: Phrase, end: int) -> Phrase | None:
    """`waiting for him was`: the whole activity is the subject where its clause begins with it."""
    tags = sentence.tags
    for at in range(whole.start - 1, max(-1, whole.start - 12), -1):
        is_done = (
            tags[at] == "G" or sentence.words[at] == "being" or (tags[at] == "T" and tags[at + 1] == "V")
        )
        if is_done and _opens_clause(tags, at):
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
    relative = _before_relative_clause(sentence, comma)
    if relative is not None:
        return relative
    for at in range(comma - 1, max(0, comma - PARENTHESIS), -1):
        if tags[at] in ".:":
            break
        is_aside = _is_parenthesis(tags[at + 1 : comma]) or is_reporting(sentence, at + 1, comma)
        if tags[at] == "," and tags[at - 1] in 'NPZ)"' and is_aside:
            return whole_phrase_ending_at(sentence, at - 1)
    earlier = _coordinated(sentence, comma, least)
    return earlier or whole_phrase_ending_at(sentence, comma - 1)


def _before_relative_clause(sentence: Sentence, comma: int) -> Phrase | None:
    """`Tom` of `Tom, who had long arms, a beard and a cap, looked`: one verb between the commas."""
    tags = sentence.tags
    start = tags.rfind(",R", max(0, comma - PARENTHESIS), comma)
    found = [at for at in range(start + 2, comma) if tags[at] in "VBAE.:SP" and not modifies(tags, at)]
    if start < 1 or len(found) != 1:
        return None
    return whole_phrase_ending_at(sentence, start - 1)


def _is_parenthesis(tags: str) -> bool:
    """An apposition or a dependent clause: no finite verb but within a relative clause."""
    if not tags or tags[0] not in "DIREGNWYS":
        return False
    return tags[0] in "RS" or not set(tags.partition("R")[0]) & set("VBA")


def _coordinated(sentence: Sentence, position: int, least: int) -> Phrase | None:
    """The subject of the nearest verb before: `it coils and springs`."""
    tags = sentence.tags
    at = position - 1
    while at > least:
        if tags[at] in ".:":
            return None
        if tags[at] in "VBA" or (tags[at] == "E" and not modifies(tags, at)):
            return subject_of(sentence, at, least) if at > 0 else None
        at -= 1
    return None


def _is_reflexive(sentence: Sentence, position: int) -> bool:
    return position > 0 and sentence.words[position].endswith(("self", "selves"))


def _of_noun(sentence: Sentence, position: int, verb: int, least: int) -> Phrase | None:
    """The phrase that ends there; `she made herself look` is about her."""
    if _is_reflexive(sentence, position) and sentence.tags[position - 1] in "VEG":
        return subject_of(sentence, position - 1, least)
    return _before_participle(sentence, verb, position) or _whole_subject(sentence, position, verb)


def _of_participle(sentence: Sentence, position: int, _verb: int, _least: int) -> Phrase | None:
    """A gerund that opens its clause is the subject itself."""
    if sentence.tags[position] == "G" and _opens_clause(sentence.tags, position):
        return Phrase(position, position)
    return _of_contact_clause(sentence, position)


Find = Callable[[Sentence, int, int, int], Phrase | None]
FIND: dict[str, Find] = {
    **dict.fromkeys("NPZ#D", _of_noun),
    **dict.fromkeys("VEG", _of_participle),
    "T": lambda sentence, place, _verb, _least: whole_phrase_ending_at(
        sentence, past(sentence, place - 1, "Y")
    ),
    "R": lambda sentence, place, _verb, _least: _antecedent(sentence, place),
    ",": _across_comma,
    "C": lambda sentence, place, _verb, least: _coordinated(sentence, place, least),
    ":": lambda sentence, place, _verb, least: (
        _coordinated(sentence, place, least) if sentence.words[place] == ";" else None
    ),
}
