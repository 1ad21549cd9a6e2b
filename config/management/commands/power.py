"""`manage.py power QUESTION`: the power of a planned study, by simulation; no database is needed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.limits import MOST_SEED
from scoring.management.figures import FigureCommand, software
from scoring.selectors.metrics.power_plans import COLUMNS
from scoring.services.metrics.power import simulate_plan
from scoring.services.metrics.power_fields import LISTS, OF_QUESTION, STATED, counts_of
from scoring.services.metrics.power_settings import CORRELATIONS, coefficient_keys, read_settings

ROUNDED = ("power", "low", "high", "estimate", "width")


class Command(FigureCommand):
    help = (
        "Simulate studies of several designs and print how often each finds what is there. Designs are all"
        " combinations of --items and --raters."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        questions = parser.add_subparsers(dest="question", required=True, metavar="QUESTION")
        for question in OF_QUESTION:
            own = questions.add_parser(question)
            for key, number in {**STATED[question], **OF_QUESTION[question], **counts_of(question)}.items():
                own.add_argument(
                    f"--{key.replace('_', '-')}", default=number.default, help=f"default {number.default:g}"
                )
            for key, usual in LISTS.items():
                own.add_argument(
                    f"--{key}", default=usual, help=f"numbers separated by commas; default {usual}"
                )
            if question == "systems":
                own.add_argument(
                    "--crossed", action="store_true", help="each group has items by both systems"
                )
            elif question == "metrics":
                own.add_argument("--correlation", choices=CORRELATIONS, default=CORRELATIONS[0])
            elif question == "coefficient":
                own.add_argument("--coefficient", choices=coefficient_keys(), default="icc2k")
            self.add_seed_and_json(own)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            settings = read_settings(options, {})
        except InvalidContent as refusal:
            raise CommandError(f"{refusal.message} [{refusal.code}]", returncode=2) from refusal
        seed = options["seed"]
        if seed is not None and not 0 <= seed <= MOST_SEED:
            raise CommandError(f"--seed must be from 0 to {MOST_SEED}.", returncode=2)
        method, tables = simulate_plan(settings, seed=seed)
        if not self.write_json({"method": method, **tables, "software": software()}, options["json"]):
            self._print(method, tables)

    def _print(self, method: dict[str, Any], tables: dict[str, Any]) -> None:
        self.print_table([key for key, _ in COLUMNS], [_cells(row) for row in tables["designs"]])
        self.stdout.write(f"{method['studies']} simulated studies of each design, seed {method['seed']}")
        if nothing := tables["without_effect"]:
            self.stdout.write(
                f"Where there is nothing to find, a share of {nothing['power']:.3f} of studies of the first"
                " design finds a difference."
            )


def _cells(row: dict[str, Any]) -> list[str]:
    return [_cell(row[key], rounded=key in ROUNDED) for key, _ in COLUMNS]


def _cell(value: float | None, *, rounded: bool) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if rounded else str(value)
