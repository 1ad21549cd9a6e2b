"""The responses that a study's statistics draw from: its own, and those of a pilot that is pooled with it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.domain.questions.kinds.kind import Yields
from annotation.models import Response, Study
from annotation.selectors.questions.counting import Counting, answers, excluded, submitted
from annotation.selectors.questions.pilots.pilot_answers import PilotAnswers, pilot_answers


@dataclass(frozen=True)
class Source:
    """Responses of a study (`pool` is None) or of its pilot, and what their items and versions are called."""

    study: Study
    pool: PilotAnswers | None

    @property
    def responses(self) -> QuerySet[Response]:
        """All current responses, excluded and late ones included."""
        return submitted(self.study) if self.pool is None else self.pool.responses()

    @property
    def excluded(self) -> Q:
        """Responses with an active exclusion of themselves, their rater or their item."""
        if self.pool is not None:
            return self.pool.excluded(self.study)
        return excluded(self.study, Counting.in_statistics(self.study, pooled=True))

    @property
    def counts(self) -> Q:
        """Responses that count, whatever their version."""
        return ~self.excluded if self.study.include_late else ~self.excluded & Q(late=False)

    def counted(
        self, versions: Collection[int], yields: tuple[Yields, ...] | None = None
    ) -> QuerySet[Response]:
        """The responses that count, to some versions of the study, in no order."""
        own = list(versions)
        if self.pool is not None:
            own = [pk for pk, version in self.pool.versions.items() if version in versions]
        found = self.responses.filter(self.counts, version__in=own).order_by()
        return found if yields is None else found.filter(answers(yields))

    def places(
        self, versions: Collection[int], yields: tuple[Yields, ...] | None = None
    ) -> set[tuple[int, str]]:
        """Item and rater, as the study calls them, of the responses that `counted` returns."""
        rows = self.counted(versions, yields).values_list(
            "assignment__item", "assignment__rater", "assignment__rater__code"
        )
        return {(self.item(item), self.rater(rater, code)) for item, rater, code in rows.distinct()}

    def version(self, pk: int) -> int:
        """The version of the study with the words of a version of this source."""
        return pk if self.pool is None else self.pool.versions[pk]

    def item(self, pk: int) -> int:
        """The item of the study that an item of this source is."""
        return pk if self.pool is None else self.pool.items[pk]

    def rater(self, pk: int, code: str) -> str:
        """The code that the study has for a rater of this source."""
        return code if self.pool is None else self.pool.raters[pk]


def sources_of(study: Study) -> list[Source]:
    """The study itself, and its pilot where a member has declared that both are pooled.

    Parameters
    ----------
    study : Study
        The study of the statistics.
    """
    pool = pilot_answers(study)
    return [Source(study, None), *([Source(study, pool)] if pool is not None else [])]
