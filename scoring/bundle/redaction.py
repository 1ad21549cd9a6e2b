"""Removes identities from a bundle: members get pseudonyms, addresses and platform ids are removed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.models import PlatformIdentity, Study, User
from annotation.selectors.questions.pilots.pilot_answers import pilot_answers

E_MAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
REMOVED = "[removed]"
# Raters supply their own platform IDs: shorter ones could be ordinary words.
SHORTEST = 8
NAMES = 4


@dataclass(frozen=True)
class Redactor:
    """Replaces everything that would identify a person."""

    # Pseudonym of each member, and of each other log-in that has acted in the study, by key
    members: Mapping[int, str]
    # Replacements in all free texts: addresses of log-ins and ids of crowd platforms
    everywhere: Mapping[str, str]
    in_notes: Mapping[str, str]  # Replacements in notes only: names, which may be ordinary words in answers

    @classmethod
    def of(cls, study: Study) -> Redactor:
        """What is known of the people of a study."""
        raters = dict(study.raters.filter(user__isnull=False).values_list("user", "code"))
        pool = pilot_answers(study)
        if pool is not None:
            joined = pool.pilot.raters.filter(user__isnull=False).values_list("user", "pk")
            raters = {user: pool.raters[pk] for user, pk in joined} | raters
        involved = {
            *study.memberships.values_list("user", flat=True),
            *study.audit.filter(actor__isnull=False).values_list("actor", flat=True),
            *study.exclusions.filter(author__isnull=False).values_list("author", flat=True),
            *raters,
        }
        users = list(User.objects.filter(pk__in=involved).order_by("pk"))
        codes = {
            user.pk: raters.get(user.pk, f"M-{position:02}") for position, user in enumerate(users, start=1)
        }
        everywhere = {user.email: codes[user.pk] for user in users}
        studies = [study] if pool is None else [study, pool.pilot]
        ids = PlatformIdentity.objects.filter(study__in=studies).values_list("person", "task", "session")
        everywhere |= {one: REMOVED for row in ids for one in row if len(one) >= SHORTEST}
        names = {user.name: codes[user.pk] for user in users if len(user.name) >= NAMES}
        return cls(codes, everywhere, names)

    def member(self, key: int | None) -> str:
        """The pseudonym of a log-in; `system` for None."""
        return "system" if key is None else self.members.get(key, "M-00")

    def answer(self, text: str) -> str:
        """A rater's answer in words without addresses and platform ids."""
        text = _replaced(text, self.everywhere)
        return E_MAIL.sub(REMOVED, text) if "@" in text else text

    def note(self, text: str) -> str:
        """A remark or a reason, without names either."""
        return _replaced(self.answer(text), self.in_notes)


def _replaced(text: str, words: Mapping[str, str]) -> str:
    """Replace whole words only: a part of a word is no name."""
    for found, instead in words.items():
        if found in text:
            text = re.sub(rf"(?<!\w){re.escape(found)}(?!\w)", instead, text)
    return text
