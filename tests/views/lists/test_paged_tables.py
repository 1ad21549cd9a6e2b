"""Every table that can grow has a pager below it."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
TABLE = re.compile(r"{% data_table .*?%}(.*?){% enddata_table %}(.*?)(?={% data_table|\Z)", re.DOTALL)
ROWS = re.compile(r"<tbody>\s*(?:{% localize off %})?{% for \w+(?:, \w+)* in ([\w.]+)")
PAGER_WITHIN = 400
# Tables of one page, by what limits their rows: template → the lists that they show.
FEW = {
    "a limit of the installation or of the service": {
        "annotation/base/api_tokens.html": "tokens",
        "annotation/base/webhooks.html": "webhooks",
        "annotation/base/system.html": "force.workers work failures",
        "annotation/studies/design.html": "preview.panels preview.rows",
        "annotation/seats/adaptive_pairs.html": "progress.rounds",
        "scoring/metrics/model/rater_thresholds.html": "own.raters",
        "annotation/quality/trials.html": "trial.rows",
        "components/file_problems.html": "problems",
        "scoring/agreement/criteria/raters_of_criterion.html": "matrix.rows",
        "scoring/choices/accuracy.html": "group.rows",
        "scoring/choices/best_worst.html": "group.scores",
        "scoring/choices/orders.html": "group.candidates group.pairs",
        "scoring/choices/preferences.html": "group.strengths",
        "scoring/choices/grades.html": "rows",
        "scoring/choices/wins.html": "rows",
        "scoring/raters/raters_compared.html": "compared.apart",
        "scoring/similes/item.html": "group.rows",
        "scoring/similes/corpus.html": "rows",
        "scoring/similes/score_weights.html": "compared.grid compared.ablation",
        "scoring/similes/scored_item.html": "shown.rows shown.explanation.relevance.pairs",
        "scoring/agreement/planner.html": "shown.rows",
        "scoring/generalisability/d_study.html": "reading.rows",
        "scoring/power/plan.html": "rows",
        "scoring/power/outcome.html": "outcome.rows",
    },
    "the forms, criteria, questions and stages of a study": {
        "annotation/adjudication/overlaps.html": "table.rows",
        "annotation/adjudication/parts/case_table.html": "rows",
        "annotation/adjudication/raters_compared.html": "comparison.rows",
        "annotation/people/questions.html": "questions",
        "annotation/adjudication/second_opinion.html": "second_rows",
        "annotation/quality/parts/reference_comparison.html": "compared",
        "scoring/agreement/binary_sets.html": "group.rows",
        "annotation/studies/forms.html": "versions",
        "annotation/studies/parts/changed_texts.html": "changed_texts",
        "annotation/studies/from_definition.html": "refusal.fields.items",
        "annotation/studies/overview.html": "flows",
        "annotation/studies/public/result_table.html": "result.rows",
        "annotation/studies/texts/group.html": "group.rows",
        "scoring/agreement/before_after.html": "before_after",
        "scoring/generalisability/results.html": "analysis.components",
        "scoring/agreement/crossed.html": "table.rows",
        "scoring/agreement/differences.html": "difference_rows",
        "scoring/agreement/criteria/matrix.html": "matrix.rows",
        "scoring/agreement/versions.html": "version_rows",
        "scoring/new_raters/table.html": "group.rows",
        "scoring/metrics/compare.html": "report.figures",
        "scoring/choices/likert_means.html": "rows",
        "scoring/metrics/metrics.html": "best ceiling comparisons rankings borda",
        "scoring/metrics/pairwise_accuracy.html": "pairwise",
        "scoring/metrics/repeated/overall.html": "rows",
        "scoring/metrics/repeated/systems.html": "rows",
        "scoring/metrics/systems.html": "matrix.rows",
        "scoring/raters/raters_compared.html": "compared.criteria",
        "scoring/raters/rule.html": "agreement means metrics",
        "scoring/reports/reliability.html": "missing",
        "scoring/similes/item.html": "figures",
    },
    "the judges that members add, and the systems of a study": {
        "scoring/judges/agreement.html": "agreement.rows",
        "scoring/judges/distributions/bins.html": "row.bins",
        "scoring/judges/distributions/calibration.html": "calibrations",
        "scoring/judges/distributions/soft_labels.html": "soft_labels",
        "scoring/judges/list.html": "judges",
        "scoring/judges/means/means.html": "means.rows",
        "scoring/judges/options/agreement.html": "options.rows",
        "scoring/judges/options/biases.html": "group.rows",
        "scoring/judges/options/both_orders.html": "group.both_orders",
        "scoring/judges/replacement.html": "tests.rows",
    },
    "the members of a study": {
        "annotation/adjudication/parts/workloads.html": "workloads",
    },
    "the columns of a file, and its first rows": {
        "annotation/items/item_file.html": "rows preview",
        "scoring/metrics/score_file.html": "rows preview",
        "scoring/reports/exports/preview.html": "preview.rows",
    },
    "the program itself": {
        "annotation/items/set_balance.html": "balance.meetings",
        "annotation/pay/parts/due.html": "due",
        "annotation/people/members.html": "permissions",
        "scoring/raters/rater/page.html": "profile.indicators",
        "scoring/raters/rater/compared/table.html": "compared",
        "scoring/agreement/criteria/coefficients.html": "group.rows",
        "scoring/reports/printed.html": "cells",
        "scoring/reports/release/files.html": "files",
        "scoring/reports/release/list.html": "release",
        "scoring/reports/replication.html": "table.cells",
        "scoring/reports/replications.html": "studies",
        "scoring/similes/trust/published_models.html": "published",
    },
    "one page of rows, whose pager is below the buttons": {
        "annotation/pay/crowd_submissions.html": "rows",
    },
    "the page that includes it, which has the pager": {
        "annotation/base/parts/log_entries.html": "entries",
        "annotation/studies/parts/study_rows.html": "rows",
        "scoring/agreement/criteria/raters_of_criterion.html": "group.raters",
        "scoring/agreement/criteria/scale_use.html": "table.rows",
        "scoring/raters/disagreement.html": "rows",
    },
}


def tables_of_one_page() -> set[tuple[str, str]]:
    """Each table without a pager below it: its template, and the list that gives its rows."""
    found = set()
    for path in TEMPLATES.rglob("*.html"):
        for content, below in TABLE.findall(path.read_text(encoding="utf-8")):
            rows = ROWS.search(content)
            if rows and "{% pager" not in below[:PAGER_WITHIN]:
                found.add((str(path.relative_to(TEMPLATES)), rows[1]))
    return found


def test_a_table_has_a_pager_or_a_reason_why_it_stays_short() -> None:
    """Give the list to `shown_page` and put a pager below it, or say in `FEW` what limits its rows."""
    short = {
        (name, one) for reason in FEW.values() for name, lists in reason.items() for one in lists.split()
    }
    assert tables_of_one_page() == short
