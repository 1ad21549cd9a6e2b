"""Checks of the numbers in `methods.md`, and of the texts that repeat it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from ..arrays import Row
from ..bundle import Bundle
from . import recount
from .check import Check

NUMBER = r"(-?[\d,]+(?:\.\d+)?)"
DAY = r"(\d{1,2} [A-Z][a-z]+ \d{4})"
TITLE = r"“(.+?)”"
SOME = r"[^.]*?"
OF_MEANS = r"ICC[123], mean of ratings"
# Half a unit of the third decimal, in which coefficients are printed.
PRINTED = 0.0005 * (1 + 1e-9)


def check_methods(bundle: Bundle, reports: Mapping[str, Row], check: Check) -> None:
    """Check every number of the paragraph but pay and time; count those in sentences that are not known."""
    text = read_text(bundle, "methods.md").strip()
    rest = text
    for pattern, compare in SENTENCES.items():
        for found in re.finditer(pattern, text):
            compare(bundle, found, check)
            rest = rest.replace(found.group(0), "")
    for pattern in OF_PAY_AND_TIME:
        rest = re.sub(pattern, "", rest)
    rest = check_agreement(bundle, reports, rest, check)
    left = re.findall(r"\d[\d,]*(?:\.\d+)?", re.sub(r"“.*?”", "", rest))
    if left:
        check.count_skipped("numbers in unknown sentences", list(map(parse_number, left)))
    check.same("README.md repeats the paragraph", True, text in read_text(bundle, "README.md"))


def read_text(bundle: Bundle, name: str) -> str:
    """Read a text of the bundle."""
    return (bundle.folder / name).read_text(encoding="utf-8")


def parse_number(text: str) -> float:
    """Convert a printed number, such as 1,200, to a number."""
    return float(text.replace(",", ""))


def printed_numbers(text: str) -> list[float]:
    """List the numbers in a text, without those in titles."""
    return [parse_number(one) for one in re.findall(NUMBER, re.sub(TITLE, "", text)) if one.strip(",-")]


def check_collected(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check how much was collected, and when."""
    sentence = found.group(0)
    days = re.findall(DAY, sentence)
    check.same("methods.md days", days, recount.list_days(bundle))
    responses, *stored = printed_numbers(re.sub(DAY, "", sentence))
    again, *others = recount.count_collected(bundle)
    if recount.has_empty_responses(bundle):
        check.same("methods.md responses, at least those with a rating", True, responses >= again)
    else:
        check.same("methods.md responses", responses, again)
    check.same("methods.md items, groups and systems", stored, others)
    if re.search(r"\d groups?(?:,| of) ", sentence):
        complete = bool(re.search(r"\d groups? of ", sentence))
        check.same("methods.md systems in each group", complete, recount.has_complete_groups(bundle))


def check_pilot(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check how many responses of the pilot are pooled, and that `study.json` says when and why."""
    again = recount.count_from_pilot(bundle)
    if not recount.has_empty_responses(bundle):
        check.same("methods.md responses in the pilot", parse_number(found[2]), again)
    pilot = bundle.facts.get("pilot") or {}
    check.same("study.json says that the pilot is pooled", "pooled", pilot.get("responses"))
    declared = datetime.fromisoformat(pilot["pooled_at"])
    day = f"{declared.day} {declared:%B %Y}"
    check.same("methods.md day of the declaration", re.findall(DAY, found.group(0))[:1], [day])


def check_used(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check what the statistics use of one kind of question."""
    kind = next(kind for kind, noun in recount.NOUNS.items() if noun in found.group(0))
    again = recount.count_used(bundle, kind)
    check.same(f"methods.md {kind}", printed_numbers(found.group(0)), again)


def check_scales(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check the ends of the scales that a form asked for."""
    both, one_end = rf"(?:[a-z/ ]+, )?{NUMBER} to {NUMBER}", rf"[a-z ]+at (?:least|most) {NUMBER}"
    ends = re.findall(rf"\((?:{both}|{one_end})(?=[;)])", found.group(0))
    stored = [parse_number(one) for found_in in ends for one in found_in if one]
    forms = recount.forms_titled(bundle, found[1], current=False)
    again = [recount.list_scale_ends(bundle, form) for form in forms]
    check_one_of(f"methods.md scales of “{found[1]}”", stored, again, check)


def check_versions(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check how many responses saw each version of a form, and which the statistics use."""
    saw = re.findall(rf"{NUMBER} responses? saw version ([\d.]+)", found["saw"])
    stored = {label: int(parse_number(n)) for n, label in saw}
    used = re.findall(r"\d+(?:\.\d+)?", found["used"])
    again = [recount.count_versions(bundle, form) for form in recount.forms_titled(bundle, found[1])]
    check_one_of(f"methods.md versions of “{found[1]}”", (stored, used), again, check)


def check_reached(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check the ratings that items of a form were to receive and received."""
    stored = printed_numbers(found[2])
    again = [recount.count_reached(bundle, form) for form in recount.forms_titled(bundle, found[1])]
    check_one_of(f"methods.md ratings per item of “{found[1]}”", stored, again, check)


def check_one_of(what: str, stored: Any, again: Sequence[Any], check: Check) -> None:
    """Compare with the forms of a title, of which there may be several."""
    wanted = stored if stored in again else next(iter(again), "no form of this title")
    check.same(what, stored, wanted)


def check_attention(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check the number of attention checks with a result, and the share passed, to one decimal."""
    n, share = recount.count_checks(bundle)
    check.same("methods.md attention checks", parse_number(found[1]), n)
    check.near("methods.md attention checks passed", parse_number(found[2]), share, 0.05 * (1 + 1e-9))


def check_excluded(bundle: Bundle, found: re.Match[str], check: Check) -> None:
    """Check how many responses are excluded, and from how many raters, where the paragraph says so."""
    check.same("methods.md excluded", parse_number(found[1]), recount.count_excluded(bundle))
    if found[2]:
        again = recount.count_excluded_raters(bundle)
        check.same("methods.md raters of what is excluded", parse_number(found[2]), again)


def check_count(count: Callable[[Bundle], int], found: re.Match[str], bundle: Bundle, check: Check) -> None:
    """Check a sentence with one number."""
    check.same(f"methods.md {found.group(0)[:40]}", parse_number(found[1]), count(bundle))


def check_agreement(bundle: Bundle, reports: Mapping[str, Row], text: str, check: Check) -> str:
    """Check the coefficients with their report, which is checked by itself; return the text without them."""
    start = text.find("Krippendorff α (ordinal")
    if start < 0:
        return text
    alpha, *means = re.split(rf" (?={OF_MEANS} \()", text[start:])
    report = reports.get("reliability", {"results": [], "data": {}})
    head, _, figures = alpha.partition("): ")
    resamples = re.search(rf"from {NUMBER} resamples", head)
    if resamples:
        check.same("methods.md resamples", parse_number(resamples[1]), report["data"].get("replicates"))
    rows = known_rows(report, "alpha", "ordinal")
    printed = list(read_figures(figures))
    # The paragraph names criteria as raters saw them, in the order of the report.
    check.same("methods.md criteria with α", len(printed), len(rows))
    criteria = {}
    for (name, numbers), row in zip(printed, rows, strict=False):
        check_numbers(f"methods.md α of {name}", numbers, row, check)
        criteria[name] = row["criterion"]
    for sentence in means:
        check_means(report, sentence, criteria, check)
    sheet = "human_evaluation_sheet.md"
    check.same(f"{sheet} repeats α", True, alpha in read_text(bundle, sheet))
    return text[:start]


def check_means(report: Row, sentence: str, criteria: Mapping[str, str], check: Check) -> None:
    """Check the reliability of mean ratings, such as `ICC2, mean of ratings (95% CI): quality 0.512 …`."""
    head, _, figures = sentence.partition("): ")
    rows = {row["criterion"]: row for row in known_rows(report, f"{head[:4].lower()}k")}
    for name, numbers in read_figures(figures):
        row = rows.get(criteria.get(name, ""))
        check.same(f"methods.md {head[:4]} of {name} is in the report", True, row is not None)
        if row is not None:
            check_numbers(f"methods.md {head[:4]} of {name}", numbers, row, check)


def known_rows(report: Row, coefficient: str, variant: str | None = None) -> list[Row]:
    """List the results of a coefficient that have an estimate, of a variant or of all."""
    return [
        row
        for row in report["results"]
        if row["coefficient"] == coefficient
        and variant in {None, row["variant"]}
        and row["estimate"] is not None
    ]


def check_numbers(what: str, stored: Sequence[float], row: Row, check: Check) -> None:
    """Check an estimate with its limits, where it has any."""
    again = [row["estimate"], *([] if row["low"] is None else [row["low"], row["high"]])]
    check.same(f"{what}, how many numbers", len(stored), len(again))
    for printed, number in zip(stored, again, strict=False):
        check.near(what, printed, number, PRINTED)


def read_figures(text: str) -> Iterator[tuple[str, list[float]]]:
    """Read criteria with their coefficient and its limits, such as `quality 0.512 [0.300, 0.701]`."""
    number = r"(-?\d+\.\d+)"
    for one in re.finditer(rf"(.+?) {number}(?: \[{number}, {number}\]|, no interval)(?:; |\.$)", text):
        yield one[1], [float(part) for part in one.groups()[1:] if part is not None]


def one_count(count: Callable[[Bundle], int]) -> Comparison:
    """Make the comparison of a sentence with one number."""
    return lambda bundle, found, check: check_count(count, found, bundle, check)


Comparison = Callable[[Bundle, re.Match[str], Check], None]
HERE = r"(?: in this study)?"
SAW = rf"(?:{NUMBER} responses? saw version [\d.]+(?:, | and |; ))+"
NEXT_FORM = r"(?= The form| Each criterion| Of the form| For the form|$)"
# What raters were paid and how long they took is in no file of the bundle.
OF_PAY_AND_TIME = (
    r"Raters (?:of this study )?(?:who are not simulated )?were paid .*?\.(?= [A-Z]|$)",
    r"Raters (?:of this study )?(?:who are not simulated )?took .*? for the median page\.",
)
SENTENCES: Mapping[str, Comparison] = {
    rf"No ratings have been collected yet for the {NUMBER} items?": one_count(recount.count_items),
    rf"We collected {NUMBER} responses? about {SOME}\.": check_collected,
    rf"A pilot study, {TITLE}, came before; {NUMBER} responses? in it .*? reason: {TITLE}\.": check_pilot,
    rf"The statistics use {NUMBER} (?:ratings?|choices?|orders?|markings?)\b{SOME}\.": check_used,
    rf"{NUMBER} answers? in words are part of the data": one_count(recount.count_words),
    rf"The form {TITLE} asked for .*?\.{NEXT_FORM}": check_scales,
    rf"Of the form {TITLE}, (?P<saw>{SAW})the statistics use (?P<used>.*?)\.(?= |$)": check_versions,
    rf"For the form {TITLE} we requested (.*?)\.(?= [A-Z]|$)": check_reached,
    rf"Of {NUMBER} attention checks? with a verdict{HERE} raters passed {NUMBER}%\.": check_attention,
    rf"The statistics do not use {NUMBER} late responses?\.": one_count(recount.count_late),
    rf"We excluded {NUMBER} responses? (?:from {NUMBER} raters? )?": check_excluded,
    rf"{NUMBER} raters? withdrew(?: from this study)?\.": one_count(recount.count_withdrawn),
    rf"{NUMBER} items? (?:was|were) added while the study was open\.": one_count(recount.count_added),
    rf"{NUMBER} items? (?:was|were) retired, ": one_count(recount.count_retired),
}
