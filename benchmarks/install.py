"""From `pip install` to the first page, compared with potato-annotation, in one run.

    python -m benchmarks.install [--rounds 1]

A round does the same for each of the two, in turn: a new virtual environment (not timed), `pip install`
without a pip cache and with the one that this filled, then the start until the first page answers: the
demo's for Groundwork, with tables, accounts and 40 items, the log-in page of a task with two texts for
Potato. The start is timed twice: on new data, and again.
Groundwork's wheel is built before; its dependencies are those of `constraints.txt`, Potato's are the newest.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from config.distribution import NAME as DISTRIBUTION
from tests.support.installation import OURS, ROOT
from tests.support.ports import free_port
from tests.support.running import wheel

TASK = """
annotation_task_name: Two texts
task_dir: .
output_annotation_dir: out/
output_annotation_format: jsonl
data_files: [texts.json]
item_properties: {id_key: id, text_key: text}
user_config: {allow_all_users: true, users: []}
require_password: false
annotation_schemes:
  - {annotation_type: likert, name: fit, description: Fit, min_label: poor, max_label: good, size: 5}
site_dir: default
"""
TEXTS = '{"id": "1", "text": "The lamp hung like a moon."}\n{"id": "2", "text": "It ran like a clock."}\n'
WAIT_SECONDS = 300.0
PHASES = ("install, no cache", "install, cached", "first start", "second start")


@dataclass(frozen=True)
class Product:
    """One of the two: what pip installs, and what starts it at a port."""

    name: str
    requirement: Sequence[str]
    start: Sequence[str]  # The command after the environment's `bin`, with PORT for the port


def products(built: Path) -> tuple[Product, Product]:
    pins = ["-c", str(ROOT / "constraints.txt")]
    return (
        Product(DISTRIBUTION, [*pins, str(built)], ["groundwork", "demo", "--bind", "127.0.0.1:PORT"]),
        Product("potato-annotation", ["potato-annotation"], ["potato", "start", "task.yaml", "-p", "PORT"]),
    )


def round_of(product: Product, folder: Path) -> list[float]:
    """Seconds of the four phases."""
    cache = folder / "cache"
    seconds = []
    for name in ("cold", "warm"):
        environment = folder / name
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        began = time.perf_counter()
        pip = [str(environment / "bin" / "python"), "-m", "pip", "-q", "--cache-dir", str(cache), "install"]
        subprocess.run([*pip, *product.requirement], check=True)
        seconds.append(time.perf_counter() - began)
    work = folder / "work"
    work.mkdir()
    (work / "task.yaml").write_text(TASK, encoding="utf-8")
    (work / "texts.json").write_text(TEXTS, encoding="utf-8")
    return [*seconds, *(first_page(product, folder / "warm" / "bin", work) for _ in range(2))]


def first_page(product: Product, programs: Path, work: Path) -> float:
    """Seconds from the start of the program until its first page answers; then it is stopped."""
    port = free_port()
    program, *arguments = [word.replace("PORT", str(port)) for word in product.start]
    inherited = {name: value for name, value in os.environ.items() if name not in OURS}
    environment = inherited | {"GROUNDWORK_VAR": str(work / "var")}
    with (work / "printed").open("ab") as printed:
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(programs / program), *arguments], cwd=work, env=environment, stdout=printed, stderr=printed
        )
    try:
        while not answers(f"http://127.0.0.1:{port}/"):
            if process.poll() is not None or time.perf_counter() - began > WAIT_SECONDS:
                raise SystemExit(f"{product.name} did not start: {(work / 'printed').read_text()[-2000:]}")
            time.sleep(0.1)
        return time.perf_counter() - began
    finally:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
        process.kill()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.install", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as scratch:
        built = wheel.build(Path(scratch))
        print("| seconds | " + " | ".join(PHASES) + " |\n|---|" + "---:|" * len(PHASES), flush=True)
        for number in range(rounds):
            taken = []
            for product in products(built):
                folder = Path(scratch) / f"{product.name}-{number}"
                folder.mkdir()
                taken.append(round_of(product, folder))
                print(
                    f"| {product.name} | " + " | ".join(f"{one:.1f}" for one in taken[-1]) + " |", flush=True
                )
            ratios = " | ".join(f"{ours / theirs:.2f}" for ours, theirs in zip(*taken, strict=True))
            print(f"| ratio | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
