"""Replications as their pages show them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from annotation.models import Job
from scoring.models import ReplicationRun
from scoring.replication.printing import figure
from scoring.replication.registry import REPLICATIONS, STATUSES

# More cells of one table than this are left to the download.
MOST_SHOWN = 3_000


def overview() -> list[dict[str, Any]]:
    """Every published study with its latest run and unfinished or failed job, if there are any."""
    runs: dict[str, ReplicationRun] = {}
    for run in ReplicationRun.objects.defer("cells").order_by("pk"):
        runs[run.name] = run
    jobs: dict[str, Job] = {}
    for job in Job.objects.filter(kind="replication", study=None).order_by("pk"):
        jobs[job.params["name"]] = job
    return [
        {"study": replication, "run": runs.get(name), "job": _pending(jobs.get(name))}
        for name, replication in REPLICATIONS.items()
    ]


def latest_run(name: str) -> ReplicationRun | None:
    """The last stored run of a study."""
    return ReplicationRun.objects.filter(name=name).order_by("-pk").first()


def latest_job(name: str) -> Job | None:
    """The last job of a study, unless it ended well."""
    found = Job.objects.filter(kind="replication", study=None, params__name=name).order_by("-pk").first()
    return _pending(found)


def _pending(job: Job | None) -> Job | None:
    return None if job is None or job.state in {"done", "cancelled"} else job


def status_counts(run: ReplicationRun) -> list[tuple[str, int]]:
    """How many cells have each status, in the order of the contract."""
    return [(status, run.counts.get(status, 0)) for status in STATUSES]


def tables(run: ReplicationRun, source: str = "") -> list[dict[str, Any]]:
    """The cells by table.

    Parameters
    ----------
    run : ReplicationRun
        A stored run.
    source : str
        One table, whole; empty gives every table with the cells that the paper prints.

    Returns
    -------
    list of dict
        `source`, `cells` (each with `computed_text`), and `n_more`, the cells that are not among them.
    """
    found = []
    for name, group in groupby(run.cells, key=lambda cell: cell["source"]):
        cells = list(group)
        if source:
            shown = cells[:MOST_SHOWN] if name == source else []
        else:
            shown = [cell for cell in cells if cell["published"] is not None]
        if shown or not source:
            rows = [{**cell, "computed_text": figure(cell["computed"], cell["printed"])} for cell in shown]
            found.append({"source": name, "cells": rows, "n_more": len(cells) - len(shown)})
    return found
