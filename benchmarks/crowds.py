"""Simulated crowds against the careless-responding profile: who is found, and who is wrongly flagged.

    python -m benchmarks.crowds [--raters 400] [--seed 1]

Each setting has the size of one of the published studies: pages a rater answers, criteria on a page, points
of the scale, raters an item, checks planted. Eight of ten raters are careful; the others are random,
straight-lining, fast, or always choose the middle. Every rater is held against the others of the same items,
as the review page does it. A rater counts as found or flagged when at least one indicator is flagged.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from annotation.domain.quality.careless_responding import CheckResult, Page, Profile, flags, profile
from annotation.domain.quality.reading_speed import least_seconds, usual_seconds
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.likert import LIKERT
from annotation.domain.rating.simulated_raters import (
    AnsweringPattern,
    SimulatedRater,
    draw_patterns,
    true_position,
)

MIX = {
    AnsweringPattern.CAREFUL: 0.8,
    AnsweringPattern.RANDOM: 0.05,
    AnsweringPattern.LINE: 0.05,
    AnsweringPattern.FAST: 0.05,
    AnsweringPattern.MIDDLE: 0.05,
}
SECONDS_A_CRITERION = 2.0


@dataclass(frozen=True)
class Setting:
    """The size of a study: what one rater answers, and by how many others each item is rated."""

    name: str
    pages: int
    criteria: int
    points: int
    raters_an_item: int
    words: int
    checks: int = 0
    chance: Fraction = Fraction(0)

    @property
    def questions(self) -> list[Question]:
        return [
            Question(f"c{number}", f"Criterion {number}", LIKERT, 1, self.points)
            for number in range(self.criteria)
        ]


SETTINGS = (
    Setting("HAUSER: 150 similes, all rated by three", 150, 3, 5, 3, 25),
    Setting("HANNA: 20 stories, first character asked", 20, 6, 5, 3, 375, 20, Fraction(0)),
    Setting("Miyazawa & Miyao: one task of 20, one test question", 20, 1, 5, 10, 4, 1, Fraction(1, 4)),
    Setting("Miyazawa & Miyao: ten tasks", 200, 1, 5, 10, 4, 10, Fraction(1, 4)),
    Setting("CMDAG: 20 metaphors, three points, one expert each", 20, 4, 3, 1, 20),
)


def crowd(setting: Setting, raters: int, seed: int) -> list[tuple[AnsweringPattern, Profile]]:
    """Every rater of a crowd with the profile that their answers give."""
    people = [
        SimulatedRater(pattern, f"{seed}/{place}")
        for place, pattern in enumerate(draw_patterns(MIX, raters, seed=seed))
    ]
    found = []
    for start in range(0, raters, setting.raters_an_item):
        together = people[start : start + setting.raters_an_item]
        given = [answers_of(person, setting, f"{seed}/{start}") for person in together]
        for place, person in enumerate(together):
            others = [answers for other, answers in enumerate(given) if other != place]
            pages = pages_of(person, setting, given[place], others)
            found.append(
                (
                    person.pattern,
                    profile(pages, setting.questions, checks_of(person, setting, f"{start}/{place}")),
                )
            )
    return found


Answers = list[dict[str, int]]


def answers_of(person: SimulatedRater, setting: Setting, block: str) -> Answers:
    return [
        {
            question.key: person.value(1, setting.points, true_position(0, f"{block}/{page}", question.key))
            for question in setting.questions
        }
        for page in range(setting.pages)
    ]


def pages_of(person: SimulatedRater, setting: Setting, own: Answers, others: list[Answers]) -> list[Page]:
    text = "word " * setting.words
    least = least_seconds([text], "en", criteria=setting.criteria)
    usual = (usual_seconds(text, "en") or 0.0) + SECONDS_A_CRITERION * setting.criteria
    return [
        Page(
            values=values,
            seconds=person.seconds(usual),
            least=least,
            others={key: fmean(answers[page][key] for answers in others) for key in values} if others else {},
        )
        for page, values in enumerate(own)
    ]


def checks_of(person: SimulatedRater, setting: Setting, seed: str) -> list[CheckResult]:
    """Results of the attention checks; a rater who does not read passes by chance."""
    chance = random.Random(f"{setting.name}/{seed}")
    return [
        CheckResult(person.attends() or chance.random() < setting.chance, setting.chance)
        for _ in range(setting.checks)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--raters", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for setting in SETTINGS:
        print(setting.name)
        came: Counter[AnsweringPattern] = Counter()
        shown: Counter[AnsweringPattern] = Counter()
        why: dict[AnsweringPattern, Counter[str]] = defaultdict(Counter)
        for pattern, made in crowd(setting, options.raters, options.seed):
            came[pattern] += 1
            flagged = flags(made)
            shown[pattern] += bool(flagged)
            why[pattern].update(one.key for one in flagged)
        for pattern, count in came.items():
            verb = "wrongly flagged" if pattern is AnsweringPattern.CAREFUL else "found"
            reasons = ", ".join(f"{key} {100 * n / count:.0f} %" for key, n in why[pattern].most_common())
            print(f"  {pattern:8} {count:4} raters, {100 * shown[pattern] / count:3.0f} % {verb}   {reasons}")


if __name__ == "__main__":
    main()
