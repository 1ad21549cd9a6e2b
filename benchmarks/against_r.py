"""Do the ordinal mixed model and variance components equal R's on random designs?

    python -m benchmarks.against_r clmm [--designs 2000] [--first 0]
    python -m benchmarks.against_r lme4 [--designs 2000] [--first 0]

Needs R with `ordinal`, `lme4` and `jsonlite` (r-base-core, r-cran-ordinal, r-cran-lme4, r-cran-jsonlite).
Draws designs by seed: numbers of items, raters, ratings, systems, groups, criteria, points and variances are
random, most of them incomplete. Fits each here and in R, and adds one line of differences a design to
var/against_r/MODEL.jsonl; a run continues where the last one stopped. Prints how many were compared, refused
by us with which reason or by R, and the quantiles and the largest of the differences.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from scoring.stats.agreement.generalisability.analysis import generalisability
from scoring.stats.agreement.ordinal.ordinal_model import ordinal_model
from scoring.stats.base.errors import CodedError
from tests.stats.agreement.generalisability import designs as components
from tests.stats.agreement.ordinal import designs as ordinal

ROOT = Path(__file__).resolve().parent.parent
STORED = ROOT / "var" / "against_r"
AT_A_TIME = 25
FACTORS = {"items": "item", "raters": "rater", "groups": "group"}

Fitted = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """A model of ours, the script that fits it in R, and random designs for both."""

    script: str
    draw: Callable[[int], pd.DataFrame]
    fit: Callable[[pd.DataFrame], Fitted]


def random_ordinal(seed: int) -> pd.DataFrame:
    """Ratings on a scale of 2 to 7 points by 3 to 15 raters."""
    rng = np.random.default_rng([seed, 1])
    raters = int(rng.integers(3, 16))
    points = int(rng.integers(2, 8))
    return ordinal.simulated(
        ordinal.Simulated(
            seed,
            items=int(rng.integers(20, 121)),
            raters=raters,
            per_item=int(rng.integers(2, min(raters, 6) + 1)),
            systems=int(rng.integers(1, 6)),
            groups=int(rng.choice([0, 0, 8, 20])),
            cuts=tuple(np.sort(rng.normal(0.5, 1.5, points - 1)).tolist()),
            deviations=tuple(rng.uniform(0.2, 1.5, 3).tolist()),
            step=float(rng.uniform(0, 1)),
        )
    )


def random_components(seed: int) -> pd.DataFrame:
    """Ratings of 1 to 4 criteria, most with some missing, some rounded to points."""
    rng = np.random.default_rng([seed, 2])
    raters = int(rng.integers(3, 21))
    names = list(components.TRUTH)
    return components.simulated(
        components.Simulated(
            seed,
            items=int(rng.integers(15, 101)),
            raters=raters,
            per_item=int(rng.integers(2, min(raters, 6) + 1)),
            criteria=int(rng.choice([1, 1, 2, 4])),
            groups=int(rng.choice([0, 0, 6, 12])),
            missing=float(rng.choice([0, 0.1, 0.3])),
            points=bool(rng.random() < 0.3),
            truth=dict(zip(names, rng.uniform(0.02, 1.0, len(names)).tolist(), strict=True)),
        )
    )


def fit_ordinal(frame: pd.DataFrame) -> Fitted:
    model = ordinal_model(frame)
    count = len(model.fit.standard_errors)
    return {
        "log_likelihood": model.fit.log_likelihood,
        "estimates": model.fit.parameters.vector[:count].tolist(),
        "errors": model.fit.standard_errors.tolist(),
        "deviations": {
            FACTORS[one.factor]: one.variance**0.5 for one in model.variances if one.factor in FACTORS
        },
    }


def fit_components(frame: pd.DataFrame) -> Fitted:
    fit = generalisability(frame).fit
    return {
        "log_likelihood": fit.log_likelihood,
        "variances": dict(zip(fit.names, fit.variances.tolist(), strict=True)),
    }


MODELS = {
    "clmm": Model("tests/stats/agreement/ordinal/clmm.R", random_ordinal, fit_ordinal),
    "lme4": Model("tests/stats/agreement/generalisability/lme4.R", random_components, fit_components),
}


def fitted_by_r(model: Model, frames: dict[str, pd.DataFrame]) -> dict[str, Fitted]:
    """What R prints of each design."""
    with tempfile.TemporaryDirectory() as folder:
        for name, frame in frames.items():
            frame.to_csv(Path(folder) / f"{name}.csv", index=False)
        command = ["Rscript", str(ROOT / model.script), folder]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Fitted] = json.loads(printed)
    return found


def differences(ours: Fitted, theirs: Fitted) -> dict[str, float]:
    """The largest difference of each part; the likelihood's with its sign, positive where ours is higher."""
    found = {"log_likelihood": ours["log_likelihood"] - theirs["log_likelihood"]}
    for part in ours.keys() - {"log_likelihood"}:
        one, other = ours[part], theirs[part]
        if isinstance(one, dict):
            pairs = [(one[key], other[key]) for key in other if other[key] is not None and key in one]
        else:
            # One value alone comes from R without a list.
            listed = other if isinstance(other, list) else [other]
            pairs = [pair for pair in zip(one, listed, strict=False) if None not in pair]
        found[part] = max((abs(mine - their) for mine, their in pairs), default=float("nan"))
    return found


def compared(model: Model, seeds: Sequence[int]) -> Iterator[dict[str, Any]]:
    """One line a design: the differences, or who refused it and why."""
    frames = {f"{seed:06}": model.draw(seed) for seed in seeds}
    by_r = fitted_by_r(model, frames)
    for name, frame in frames.items():
        line: dict[str, Any] = {"seed": int(name), "ratings": len(frame)}
        theirs = by_r[name]
        try:
            ours = model.fit(frame)
        except CodedError as refusal:
            yield line | {"refused": refusal.code}
            continue
        if "refused" in theirs:
            yield line | {"refused_by_r": theirs["refused"]}
            continue
        warned = {"warning": theirs["warning"]} if theirs.get("warning") else {}
        yield line | warned | differences(ours, theirs)


def report(name: str, lines: list[dict[str, Any]]) -> None:
    """Print the counts and the differences."""
    refused = Counter(line["refused"] for line in lines if "refused" in line)
    by_r = sum("refused_by_r" in line for line in lines)
    both = [line for line in lines if "log_likelihood" in line]
    print(f"{name}: {len(lines)} designs, {len(both)} compared, refused here {dict(refused)}, by R {by_r}")
    print(f"  R warned of {sum('warning' in line for line in both)} of those compared")
    higher = np.array([line["log_likelihood"] for line in both])
    ours, theirs = (higher > 1e-6).sum(), (higher < -1e-6).sum()
    print(f"  likelihood more than 1e-6 higher here in {ours}, in R in {theirs}")
    same = [line for line in both if abs(line["log_likelihood"]) <= 1e-6]
    for part in sorted(both[0].keys() - {"seed", "ratings", "warning", "log_likelihood"}):
        for title, chosen in (("all compared", both), ("likelihoods equal to 1e-6", same)):
            found = np.array([line[part] for line in chosen if not np.isnan(line[part])])
            within = ", ".join(
                f"{(found <= limit).mean():.1%} within {limit:g}" for limit in (1e-6, 1e-4, 1e-3)
            )
            print(f"  {part}, {title} ({len(found)}): {within}; largest {found.max():.2g}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--designs", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args()
    STORED.mkdir(parents=True, exist_ok=True)
    stored = STORED / f"{asked.model}.jsonl"
    before = [json.loads(line) for line in stored.read_text().splitlines()] if stored.exists() else []
    done, last = {line["seed"] for line in before}, asked.first + asked.designs
    with stored.open("a", encoding="utf-8") as file:
        for first in range(asked.first, last, AT_A_TIME):
            seeds = [seed for seed in range(first, min(first + AT_A_TIME, last)) if seed not in done]
            if not seeds:
                continue
            for line in compared(MODELS[asked.model], seeds):
                before.append(line)
                file.write(json.dumps(line) + "\n")
            file.flush()
            print(f"{seeds[-1] + 1} of {last}", file=sys.stderr, flush=True)
    report(asked.model, [line for line in before if asked.first <= line["seed"] < last])
    return 0


if __name__ == "__main__":
    sys.exit(main())
