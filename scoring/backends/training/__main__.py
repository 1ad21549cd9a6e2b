"""`python -m scoring.backends.training --out FOLDER`: create the embedded checkpoints again.

The same sentences, order and starting weights come from the same seed. Another processor adds up in
another order, so that its weights differ but have the same accuracy.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from scoring.backends.training.fitting import RECIPES, fit_classifier, fit_language_model

LANGUAGE_MODEL = "language_model"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scoring.backends.training", description=__doc__)
    parser.add_argument("names", nargs="*", default=[*RECIPES, LANGUAGE_MODEL], help="default: all")
    parser.add_argument("--out", type=Path, required=True, help="a folder is made in it for each")
    options = parser.parse_args()
    if unknown := set(options.names) - {*RECIPES, LANGUAGE_MODEL}:
        parser.error(f"no such checkpoint: {', '.join(sorted(unknown))}")
    for name in options.names:
        started = time.monotonic()
        if name == LANGUAGE_MODEL:
            result = f"perplexity {fit_language_model(options.out / name):.2f}"
        else:
            result = f"accuracy {fit_classifier(name, options.out / name):.4f}"
        size = (options.out / name / "model.safetensors").stat().st_size
        sys.stdout.write(f"{name}: {result} on held-out sentences, {size / 1e6:.2f} MB, ")
        sys.stdout.write(f"{time.monotonic() - started:.0f} s\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
