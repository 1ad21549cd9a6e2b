"""Sentences with known labels, drawn from the word lists by a seeded generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from scoring.backends.training import words
from scoring.backends.training.words import Property

SYLLABLES = ("ba", "do", "ki", "lu", "mar", "ne", "or", "pi", "ra", "sel", "ti", "vo", "wen", "za")
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"
NEGATIVE, POSITIVE = "negative", "positive"
NLI_LABELS = (ENTAILMENT, NEUTRAL, CONTRADICTION)
SENTIMENT_LABELS = (NEGATIVE, POSITIVE)

SUBJECTS = (*words.PEOPLE, *words.THINGS, *words.NAMES)
VERBS = tuple(sorted({verb for pair in words.PERSON_VERBS + words.THING_VERBS for verb in pair}))
ADVERBIALS = (*words.PLACES, *words.TIMES)
KINDS = tuple(kind for contrast in words.CONTRASTS for kind in contrast)


UNREPLACED = {synonym: verb for verb, synonym in words.SYNONYMS.items()}


@dataclass(frozen=True)
class Example:
    """A text or pair with its label, and what else is known about it."""

    text: str | tuple[str, str]  # A sentence, or premise and hypothesis
    label: str  # The correct class
    # Codes of what the premise and the hypothesis state: subject, verb, property, adverbial, negation.
    # A small model that predicts these too learns the label much sooner.
    hints: tuple[int, ...] = ()


# How many answers each hint of `pairs` has; what is not in a list is numbered 0.
HINTS = (len(SUBJECTS) + 1, len(VERBS) + 1, len(KINDS) + 1, len(ADVERBIALS) + 1, 2) * 2


@dataclass(frozen=True)
class Clause:
    """Subject, verb and property: enough for a literal sentence, a simile, and their contradictions."""

    subject: str
    verb: str
    kind: Property
    vehicle: str = ""
    adverbial: str = ""
    negated: bool = False

    def wording(self) -> str:
        return _sentence([self.subject, self._predicate(), self.adverbial])

    def _predicate(self) -> str:
        if self.verb == "was":
            not_ = "was not" if self.negated else "was"
            if self.vehicle.startswith("as "):
                return f"{not_} {self.vehicle}"
            return f"{not_} like {self.vehicle}" if self.vehicle else f"{not_} {self.kind.adjective}"
        manner = f"like {self.vehicle}" if self.vehicle else self.kind.adverb
        return f"{self.verb} {'not ' if self.negated else ''}{manner}"


def _sentence(parts: list[str]) -> str:
    text = " ".join(part for part in parts if part)
    return f"{text[0].upper()}{text[1:]}."


def pairs(seed: int) -> Iterator[Example]:
    """Premise and hypothesis with the relation between them, without end.

    Parameters
    ----------
    seed
        Seed of the generator; the same seed gives the same pairs.

    Yields
    ------
    Example
        Each of `NLI_LABELS` about equally often.
    """
    random = Random(seed)
    makers = {ENTAILMENT: FOLLOWING, NEUTRAL: UNDECIDED, CONTRADICTION: EXCLUDED}
    while True:
        premise, kinds = _clause(random)
        label = random.choice(NLI_LABELS)
        hypothesis = random.choice(makers[label])(random, premise, kinds)
        if random.random() < 0.3:
            premise = replace(premise, vehicle=_vehicle(random, premise))
        hints = (*_hints(premise), *_hints(hypothesis))
        yield Example((premise.wording(), hypothesis.wording()), label, hints)


def opinions(seed: int) -> Iterator[Example]:
    """Yield sentences with the feeling that they express, without end.

    Parameters
    ----------
    seed
        Of the generator.

    Yields
    ------
    Example
        Each of `SENTIMENT_LABELS` about equally often.
    """
    random = Random(seed)
    while True:
        feeling = random.choice((-1, 1))
        yield Example(random.choice(FEELINGS)(random, feeling), POSITIVE if feeling > 0 else NEGATIVE)


def plain(seed: int) -> Iterator[str]:
    """Sentences of every kind, for the language model and the vocabulary; without end."""
    random = Random(seed)
    relations, feelings = pairs(seed + 1), opinions(seed + 2)
    while True:
        yield random.choice((*next(relations).text, str(next(feelings).text)))


def _hints(clause: Clause) -> tuple[int, ...]:
    return (
        _place(clause.subject, SUBJECTS),
        _place(UNREPLACED.get(clause.verb, clause.verb), VERBS),
        _place(clause.kind, KINDS),
        _place(clause.adverbial, ADVERBIALS),
        int(clause.negated),
    )


def _place(value: object, among: Sequence[object]) -> int:
    return among.index(value) + 1 if value in among else 0


def _clause(random: Random) -> tuple[Clause, tuple[Property, Property]]:
    """A clause with the property that it has and the one that this excludes."""
    kinds = random.choice(words.CONTRASTS)
    kind, opposite = kinds if random.random() < 0.5 else kinds[::-1]
    person = random.random() < 0.5
    subject = _person(random) if person else random.choice(words.THINGS)
    verb = "was"
    if random.random() < 0.6:
        verb = random.choice(random.choice(words.PERSON_VERBS if person else words.THING_VERBS))
    return Clause(subject, verb, kind, adverbial=_adverbial(random)), (kind, opposite)


def _person(random: Random) -> str:
    drawn = random.random()
    if drawn < 0.15:
        return "".join(random.choices(SYLLABLES, k=random.randint(2, 3))).capitalize()
    return random.choice(words.NAMES if drawn < 0.35 else words.PEOPLE)


def _adverbial(random: Random) -> str:
    return random.choice(("", random.choice(words.PLACES), random.choice(words.TIMES)))


def _vehicle(random: Random, clause: Clause) -> str:
    vehicle = random.choice(clause.kind.vehicles)
    explicit = clause.verb == "was" and random.random() < 0.5
    return f"as {clause.kind.adjective} as {vehicle}" if explicit else vehicle


def _same(random: Random, clause: Clause, _: tuple[Property, Property]) -> Clause:
    return clause if random.random() < 0.5 else replace(clause, adverbial="")


def _reworded(_: Random, clause: Clause, __: tuple[Property, Property]) -> Clause:
    return replace(clause, verb=words.SYNONYMS.get(clause.verb, clause.verb))


def _fitting_simile(random: Random, clause: Clause, _: tuple[Property, Property]) -> Clause:
    return replace(clause, vehicle=_vehicle(random, clause))


def _not_the_opposite(_: Random, clause: Clause, kinds: tuple[Property, Property]) -> Clause:
    return replace(clause, kind=kinds[1], negated=True)


def _opposite(_: Random, clause: Clause, kinds: tuple[Property, Property]) -> Clause:
    return replace(clause, kind=kinds[1])


def _opposite_simile(random: Random, clause: Clause, kinds: tuple[Property, Property]) -> Clause:
    opposite = replace(clause, kind=kinds[1])
    return replace(opposite, vehicle=_vehicle(random, opposite))


def _denied(_: Random, clause: Clause, __: tuple[Property, Property]) -> Clause:
    return replace(clause, negated=True)


def _other_deed(_: Random, clause: Clause, kinds: tuple[Property, Property]) -> Clause:
    opposites = {
        word: other for pair in words.PERSON_VERBS + words.THING_VERBS for word, other in (pair, pair[::-1])
    }
    if clause.verb == "was":
        return replace(clause, kind=kinds[1])
    return replace(clause, verb=opposites[clause.verb])


def _something_else(random: Random, clause: Clause, kinds: tuple[Property, Property]) -> Clause:
    others = [kind for contrast in words.CONTRASTS for kind in contrast if contrast[0] not in kinds]
    other = replace(clause, kind=random.choice(others))
    return replace(other, vehicle=_vehicle(random, other)) if random.random() < 0.5 else other


def _someone_else(random: Random, clause: Clause, _: tuple[Property, Property]) -> Clause:
    subjects = [name for name in words.PEOPLE + words.THINGS if name != clause.subject]
    return replace(clause, subject=random.choice(subjects))


def _more(random: Random, clause: Clause, _: tuple[Property, Property]) -> Clause:
    adverbials = [text for text in words.PLACES + words.TIMES if text != clause.adverbial]
    return replace(clause, adverbial=random.choice(adverbials))


Wording = Callable[[Random, Clause, tuple[Property, Property]], Clause]
FOLLOWING: tuple[Wording, ...] = (_same, _reworded, _fitting_simile, _fitting_simile, _not_the_opposite)
EXCLUDED: tuple[Wording, ...] = (_opposite, _opposite_simile, _opposite_simile, _denied, _other_deed)
UNDECIDED: tuple[Wording, ...] = (_something_else, _something_else, _someone_else, _more)


def _of_feeling(random: Random, feeling: int) -> Property:
    kinds = [kind for contrast in words.CONTRASTS for kind in contrast if kind.feeling == feeling]
    return random.choice(kinds)


def _felt_clause(random: Random, feeling: int) -> str:
    clause, _ = _clause(random)
    negated = random.random() < 0.2
    kind = _of_feeling(random, -feeling if negated else feeling)
    clause = replace(clause, verb=random.choice(("was", "was", clause.verb)), kind=kind, negated=negated)
    if random.random() < 0.5:
        clause = replace(clause, vehicle=_vehicle(random, clause))
    return clause.wording()


def _felt_deed(random: Random, feeling: int) -> str:
    return _sentence([_person(random), random.choice(words.FEELING_VERBS[feeling]), _adverbial(random)])


def _felt_deed_simile(random: Random, feeling: int) -> str:
    vehicle = random.choice(_of_feeling(random, feeling).vehicles)
    return _sentence([_person(random), random.choice(words.FEELING_VERBS[feeling]), "like", vehicle])


def _verdict(random: Random, feeling: int) -> str:
    subject = random.choice(words.THINGS)
    noun = random.choice(words.FEELING_NOUNS[feeling])
    return _sentence([subject, random.choice(("was", "seemed", "became")), noun, _adverbial(random)])


def _judged(random: Random, feeling: int) -> str:
    negated = random.random() < 0.2
    adjective = random.choice(words.FEELING_ADJECTIVES[-feeling if negated else feeling])
    verb = random.choice(("was", "looked", "sounded")) if not negated else "was not"
    return _sentence([random.choice(words.THINGS + words.PEOPLE), verb, adjective, _adverbial(random)])


FEELINGS: tuple[Callable[[Random, int], str], ...] = (
    _felt_clause,
    _felt_clause,
    _felt_deed,
    _felt_deed_simile,
    _verdict,
    _judged,
)
