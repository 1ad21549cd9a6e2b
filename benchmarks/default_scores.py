"""The default scores against HAUSER's published ratings: Spearman's ρ of each sub-metric, with intervals.

    python -m benchmarks.default_scores SETUP [--data DIR] [--out FILE]

SETUP is one of `SETUPS`, models and a knowledge base, or `published`. The base `public` is built first,
as `kb collect` builds it, from the similes of the data folder without the rated ones and without any
other candidate of their literal sentences. Scores use the components of the data set (`marked`), and
those that the built-in extractor finds (`extracted`). The three parts of quality are compared with the
mean rating of quality, as they are (`raw`) and normalised within the candidates of a literal sentence
(`within_group`, eq. (6)), as they enter quality. Intervals: percentiles of 2,000 bootstrap samples of
literal sentences, 95%.

`published` has the metrics of the data set itself, by the published checkpoints and MAPS-KB; creativity and
informativeness, which it lacks, are those printed in the paper, without intervals.

The rows of SETUP in the checked-in table are replaced; those of other setups stay. `demonstration_128` was
recorded with the models that had positions for 128 tokens and cannot be computed again.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from pathlib import Path

import django
import numpy as np

from benchmarks.creativity import DATA, given
from scoring.backends.models import Models
from scoring.hauser.base.candidates import Group, Scored, Simile
from scoring.hauser.components.built_in import extract
from scoring.hauser.knowledge.counting import comparable
from scoring.hauser.metrics.quality import BEST, PARTS, QUALITY
from scoring.hauser.runs.pipeline import Tools, score_groups
from scoring.replication.hauser.data import HauserData
from scoring.stats.base.association import associations
from scoring.stats.base.resampling import FloatArray, IntArray, Resampling

SETUPS: Mapping[str, tuple[str, str]] = {
    "demonstration_128": ("embedded", "demo"),
    "demonstration": ("embedded", "demo"),
    "collected": ("embedded", "public"),
    "lexicon": ("lexicon", "public"),
}
PUBLISHED = "published"
COLUMNS = {"relevance": "relevance_KB", "logic": "consistency_mnli", "sentiment": "consistency_emo"}
# He et al. (2023), Table 2 and section 4: Spearman's ρ.
PRINTED = {"creativity": "0.645", "informativeness": "0.882"}
CRITERIA = {
    **dict.fromkeys((*PARTS, QUALITY), "Quality"),
    "creativity": "Creativity",
    "informativeness": "Informativeness",
}
RESAMPLING = Resampling()


def groups(published: HauserData, *, marked: bool) -> list[Group]:
    """The rated candidates of each literal sentence; `key` is the row."""
    table = published.table
    return [
        Group(
            str(number),
            tuple(
                Simile(
                    str(row),
                    table["similes"][row],
                    table["literal_sentences"][row],
                    given(table["components"][row]) if marked else None,
                )
                for row in np.flatnonzero(published.group == number).tolist()
            ),
        )
        for number in np.unique(published.group)
    ]


def correlations(
    scored: Sequence[Scored], published: HauserData, components: str
) -> Iterator[dict[str, object]]:
    """One row for each metric and scaling."""
    by_row = sorted(scored, key=lambda one: int(one.key))
    for metric, criterion in CRITERIA.items():
        names = {"raw": metric, "within_group": f"{metric}_normalised"}
        for scaling in ("raw", "within_group") if metric in PARTS else ("raw",):
            values = np.array([one.scores[names[scaling]].value for one in by_row], dtype=np.float64)
            found = _correlation(values, published.mean(criterion), published.group)
            yield {
                "metric": metric,
                "criterion": criterion.lower(),
                "components": components,
                "scaling": scaling,
                **found,
                "truncated": sum(metric in one.truncated for one in by_row),
            }


def _correlation(values: FloatArray, human: FloatArray, group: IntArray) -> dict[str, object]:
    known = np.isfinite(values)
    x, y, unit = values[known][:, None], human[known][:, None], group[known]
    places = [np.flatnonzero(unit == one) for one in np.unique(unit)]
    estimate = float(associations(x, y, "spearman")[0, 0])
    generator = RESAMPLING.generator("default scores")
    samples = (
        np.concatenate([places[one] for one in generator.integers(0, len(places), len(places))])
        for _ in range(RESAMPLING.replicates)
    )
    replicates = np.array([associations(x[sample], y[sample], "spearman")[0, 0] for sample in samples])
    interval = RESAMPLING.interval(replicates, "groups", len(places))
    limits = ["" if np.isnan(limit) else f"{limit:.3f}" for limit in (interval.low, interval.high)]
    return {
        "rho": f"{estimate:.3f}",
        "low": limits[0],
        "high": limits[1],
        "reason": interval.reason,
        "n": int(known.sum()),
    }


def published_correlations(published: HauserData) -> list[dict[str, object]]:
    """Rows of the metrics that come with the data set; its parts of quality are normalised already."""
    columns = {part: published.metric(name) for part, name in COLUMNS.items()}
    columns[QUALITY] = published.quality(*astuple(BEST))
    rows: list[dict[str, object]] = []
    for metric, criterion in CRITERIA.items():
        row: dict[str, object] = {
            "setup": PUBLISHED,
            "metric": metric,
            "criterion": criterion.lower(),
            "components": "marked",
            "scaling": "within_group" if metric in PARTS else "raw",
        }
        if metric in PRINTED:
            row |= {"rho": PRINTED[metric], "low": "", "high": "", "reason": "printed_in_paper", "n": 150}
        else:
            row |= _correlation(columns[metric], published.mean(criterion), published.group)
        rows.append({**row, "truncated": 0})
    return rows


def collect_public(data: Path, folder: Path, published: HauserData) -> None:
    """The base of the public similes without all candidates of the rated literal sentences."""
    from scoring.services.similes.knowledge_bases import collect_base

    literals = set(map(comparable, published.table["literal_sentences"]))
    candidates = json.loads((data / "hauser" / "simile_candidates_raw.json").read_text(encoding="utf-8"))
    others = [
        text for one in candidates if comparable(one["origin_sentence"]) in literals for text in one["cands"]
    ]
    left_out = folder / "left_out.txt"
    left_out.write_text("\n".join([*published.table["similes"], *others]), encoding="utf-8")
    sources = [data / name for name in ("hauser", "simile_components", "simile_probing")]
    started = time.perf_counter()
    about = collect_base(sources=sources, name="public", exclude=left_out)
    print(f"{about.size}, {about.counted}, {time.perf_counter() - started:.1f} s")


def measured(setup: str, data: Path, folder: Path) -> list[dict[str, object]]:
    """All rows of a setup."""
    from scoring.backends.profiles import profile
    from scoring.services.similes.knowledge_bases import open_base

    published = HauserData.read(data / "hauser")
    if setup == PUBLISHED:
        return published_correlations(published)
    name, base_name = SETUPS[setup]
    if base_name == "public":
        collect_public(data, folder, published)
    models = Models(profile(name), folder)
    rows = []
    with open_base(base_name) as base:
        tools = Tools(partial(extract, known_simile=True), base, models.nli, models.sentiment)
        for components in ("marked", "extracted"):
            scored = score_groups(groups(published, marked=components == "marked"), tools)
            flat = [one for members in scored for one in members]
            rows += [{"setup": setup, **row} for row in correlations(flat, published, components)]
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("setup", choices=[*SETUPS, PUBLISHED])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, help="default: the checked-in table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-default-scores-") as name:
        os.environ |= {"GROUNDWORK_VAR": name, "DJANGO_SETTINGS_MODULE": "config.settings.embedded"}
        django.setup()
        from scoring.selectors.similes.default_correlations import TABLE

        target = options.out or TABLE
        rows = measured(options.setup, options.data, Path(name))
        other_rows = list(csv.DictReader(target.open(encoding="utf-8"))) if target.exists() else []
        other_rows = [row for row in other_rows if row["setup"] != options.setup]
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows([*other_rows, *rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
