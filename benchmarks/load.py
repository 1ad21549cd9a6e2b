"""Fifty raters in a closed loop against `manage.py serve`: items a second, at two sizes of the study.

    python -m benchmarks.load [--raters 50] [--seconds 30] [--items 1000 100000] [--think 0 1]
                              [--plain] [--database URL]

An item is its page and the saving of its answer: one request, as the page's own script makes it, or two
with `--plain`. Every rater joins beforehand; then all work for so long, without think time and with one
second of it. The baseline of the same run is `/health/live`: the same clients and server, with a view that
does nothing. Clients and server share the machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.exact import MAKE, found
from benchmarks.quick_client import Connection, rating_form
from benchmarks.rater_client import Browser
from benchmarks.submissions import UnexpectedPage, agree, baseline_per_second, percentile
from tests.support.installation import Installation, Server


@dataclass
class Work:
    """What the raters of one round saw."""

    pages: list[float] = field(default_factory=list)
    saves: list[float] = field(default_factory=list)
    entries: list[float] = field(default_factory=list)


def rate(connection: Connection, until: float, think: float, work: Work, start: str, plain: bool) -> None:
    """Page after page until the time is over; think time lies between the page and its answer."""
    page = connection.get(connection.get(start).target)
    while time.perf_counter() < until:
        if think:
            time.sleep(think)
        action, fields = rating_form(page)
        page = connection.post(action, fields, prefers_page=not plain)
        work.saves.append(page.seconds)
        if page.status == 303:
            page = connection.get(page.target)
            work.pages.append(page.seconds)
        if page.status != 200:
            raise UnexpectedPage(f"Saving was answered by {page.status}:\n{page.text[:500]}")


def enter(invitation: str, work: Work) -> Connection:
    browser, started = Browser(), time.perf_counter()
    page = agree(browser, browser.get(invitation))
    work.entries.append(time.perf_counter() - started)
    return Connection(browser, page.url)


def measure(
    installation: Installation, server: Server, items: int, options: argparse.Namespace
) -> dict[float, float]:
    """Rounds of one study, by think time; prints what was seen and gives items a second."""
    given = {"slug": f"load-{items}", "items": items, "overlap": 3, "checks": False}
    token = found(installation, MAKE.format(given=json.dumps(given)))
    invitation, entry = f"{server.url}/join/{token}/", Work()
    with ThreadPoolExecutor(options.raters) as pool:
        people = list(pool.map(lambda _: enter(invitation, entry), range(options.raters)))
        speeds = {}
        for think in options.think:
            work, started = Work(), time.perf_counter()
            until, start = started + options.seconds, f"/rate/{given['slug']}/"
            running = [pool.submit(rate, one, until, think, work, start, options.plain) for one in people]
            for one in running:
                one.result()
            speeds[think] = len(work.saves) / (time.perf_counter() - started)
            print(
                f"{items:>8,} items, think {think:g} s: {speeds[think]:6.1f} items/s, "
                f"{in_words(work)}, "
                f"entry p95 {1000 * percentile(entry.entries, 0.95):.0f} ms",
                flush=True,
            )
    return speeds


def in_words(work: Work) -> str:
    saves = f"{1000 * percentile(work.saves, 0.95):.0f} ms"
    if not work.pages:
        return f"save and next page p95 {saves}"
    return f"page p95 {1000 * percentile(work.pages, 0.95):.0f} ms, save p95 {saves}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--raters", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--items", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--think", type=float, nargs="+", default=[0.0, 1.0])
    parser.add_argument(
        "--plain", action="store_true", help="as a browser without scripts: two requests an item"
    )
    parser.add_argument("--database", help="DATABASE_URL; default: a SQLite file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-load-") as folder:
        settings = {"DATABASE_URL": options.database} if options.database else {}
        installation = Installation(Path(folder) / "var", settings)
        with installation.serve("--bind", "127.0.0.1:0") as server:
            speeds = [measure(installation, server, items, options) for items in options.items]
            floor = baseline_per_second(server, clients=options.raters)
    fastest = [max(of_size.values()) for of_size in speeds]
    print(f"baseline /health/live: {floor:.0f} requests/s; items / baseline {fastest[0] / floor:.3f}")
    if len(speeds) > 1:
        print(f"largest against smallest study: {fastest[-1] / fastest[0]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
