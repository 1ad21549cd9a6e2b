"""After any history, every number of the methods paragraph equals a recount from the test's own ledger."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

import pytest

from scoring.selectors.reports.methods import methods_paragraph
from scoring.selectors.reports.study_facts import facts_of
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, unpacked
from tests.services.reports.histories import STAGE, Entry, History, make_history

pytestmark = pytest.mark.django_db
KINDS = {"scale": "likert", "choice": "choice"}
TITLES = {"similes": "Similes", STAGE: STAGE.capitalize()}


def numbers_in(text: str) -> list[float]:
    plain = re.sub(r"“[^”]*”", "", text)
    return [float(one.replace(",", "")) for one in re.findall(r"-?\d[\d,]*(?:\.\d+)?", plain)]


class Recount:
    """What the paragraph must say, from the ledger alone."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.forms = list(history.order)

    def is_out(self, one: Entry) -> bool:
        gone = self.history
        return one.item in gone.gone_items or one.rater in gone.gone_raters or one.pk in gone.gone_responses

    def counting(self, kind: str) -> list[Entry]:
        """Responses to the newest pool of each form that answer a kind of question."""
        counted = [one for one in self.history.entries if not one.late and not self.is_out(one)]
        counted = [
            one
            for one in counted
            if one.answers[kind] or (one.cannot and kind in self.history.kinds[one.form, one.version])
        ]
        newest: dict[str, int] = defaultdict(int)
        for one in counted:
            newest[one.form] = max(newest[one.form], self.pool(one))
        return [one for one in counted if self.pool(one) == newest[one.form]]

    def pool(self, one: Entry) -> int:
        return self.history.pools[one.form, one.version]

    def used_pools(self) -> set[tuple[str, int]]:
        return {(one.form, self.pool(one)) for kind in KINDS.values() for one in self.counting(kind)}

    def collected(self) -> list[float]:
        items = list(self.history.cast.study.items.all())
        groups = {item.group for item in items if item.group}
        systems = {item.system for item in items if item.system}
        numbers = [len(self.history.entries), len(items), len(groups)]
        numbers += [len(systems)] if len(systems) > 1 else []
        return [*numbers, *(len(some) for some in (self.history.added, self.history.retired) if some)]

    def has_complete_groups(self) -> bool:
        items = list(self.history.cast.study.items.all())
        systems = {item.system for item in items} - {""}
        by_group = [
            {one.system for one in items if one.group == group} for group in {item.group for item in items}
        ]
        return all(systems <= found for found in by_group)

    def part(self, kind: str) -> list[float]:
        rows = self.counting(kind)
        raters = {one.rater for one in rows}
        simulated = raters & self.history.simulated
        numbers = [
            sum(one.answers[kind] for one in rows),
            len(rows),
            len({one.item for one in rows}),
            len(raters),
        ]
        if simulated and simulated != raters:
            numbers += [len(simulated), sum(one.rater in simulated for one in rows)]
        cannot = sum(one.cannot for one in rows)
        return [*numbers, *([cannot] if cannot else [])]

    def versions(self, form: str) -> list[float]:
        saw = Counter(one.version for one in self.history.entries if one.form == form)
        labels = [label for label in self.history.order[form] if saw[label]]
        if len(labels) < 2:
            return []
        used = [label for label in labels if (form, self.history.pools[form, label]) in self.used_pools()]
        numbers = [number for label in labels for number in (saw[label], float(label))]
        return [*numbers, *map(float, used)]

    def reached(self, form: str) -> list[float]:
        wanted = {
            item: n
            for (of, item), n in self.history.wanted.items()
            if of == form and item not in self.history.gone_items
        }
        in_time = [one for one in self.history.entries if one.form == form and not one.late]
        used = self.used_pools()
        got = Counter(one.item for one in in_time if not self.is_out(one) and (form, self.pool(one)) in used)
        numbers, asked = [got[item] for item in wanted], list(wanted.values())
        if not wanted:
            return []
        requested = [min(asked), max(asked)] if min(asked) < max(asked) else [max(asked)]
        spread = (
            [median(numbers), min(numbers), max(numbers)] if min(numbers) < max(numbers) else [numbers[0]]
        )
        short = sum(got[item] < n for item, n in wanted.items())
        return [*requested, *spread, *([short, len(wanted)] if short else [])]

    def everything(self) -> list[float]:
        history = self.history
        numbers = self.collected()
        for kind in KINDS.values():
            numbers += self.part(kind) if self.counting(kind) else []
        words = sum(one.answers["text"] for one in self.counting("text"))
        numbers += [words] if words else []
        numbers += [end for _ in self.forms for _ in ("quality", "creativity") for end in (1, 5)]
        for counts in (self.versions, self.reached):
            numbers += [number for form in self.forms for number in counts(form)]
        if history.checks:
            numbers += [len(history.checks), round(100 * sum(history.checks) / len(history.checks), 1)]
        excluded = [one for one in history.entries if self.is_out(one)]
        out = [len(excluded), len({one.rater for one in excluded})] if excluded else []
        left = sum(one.late and not self.is_out(one) for one in history.entries)
        return [*numbers, *([left] if left else []), *out]


@pytest.mark.parametrize("seed", range(20))
def test_every_number_equals_the_recount(seed):
    history = make_history(seed)
    study = history.cast.study
    text = methods_paragraph(study, facts_of(study, {}, with_pay=False))
    assert numbers_in(text) == Recount(history).everything(), text
    if re.search(r"\d systems", text):
        assert bool(re.search(r"\d groups? of \d systems", text)) == Recount(history).has_complete_groups()
    pilot = study.pilot
    assert ("came before" in text) == (pilot is not None)
    assert pilot is None or f"“{pilot.title}”" in text


@pytest.mark.parametrize("seed", [3, 5, 9, 11, 14])
def test_the_report_counts_the_same_and_the_bundle_recomputes(seed, tmp_path: Path):
    history = make_history(seed)
    study, recount = history.cast.study, Recount(history)
    report = compute_report(lease=quick(request_report(study=study, actor=None, announce=False)))
    parts = {kind: recount.counting(key) for kind, key in KINDS.items() if recount.counting(key)}
    by_kind = report.data.get("by_kind") or {next(iter(parts)): report.data}
    assert {kind: data["n_responses"] for kind, data in by_kind.items()} == {
        kind: len(rows) for kind, rows in parts.items()
    }
    for kind, data in by_kind.items():
        seen = Counter(f"{one.form} {one.version}" for one in parts[kind])
        assert data["by_version"] == dict(seen)
    status, printed = recompute(unpacked(study, tmp_path))
    assert status == 0, printed
