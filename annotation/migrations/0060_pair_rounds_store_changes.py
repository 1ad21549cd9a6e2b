"""Rounds of adaptive pairs may end after the highest number of them, and store only counts that changed."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

STOPS = ["order_known", "budget", "pair_limit", "round_limit"]


def _whole(rounds: Any) -> list[tuple[int, list[Any]]]:
    """Each round with all counts that its row and those before it store."""
    known: dict[str, Any] = {}
    found = []
    for pk, counts in rounds.values_list("pk", "counts"):
        known |= {row[0]: row for row in counts}
        found.append((pk, list(known.values()) if counts else []))
    return found


def keep_changes(apps: Any, _: Any) -> None:
    """Leave in each round the counts that differ from those of the round before."""
    _store(apps, changed=True)


def keep_everything(apps: Any, _: Any) -> None:
    """Give each round the counts of all items again; refused where a round has reached the new limit."""
    if apps.get_model("annotation", "PairRound").objects.filter(stopped="round_limit").exists():
        raise ValueError("Adaptive pairs have ended with round_limit, which version 0059 does not know.")
    _store(apps, changed=False)


def _store(apps: Any, *, changed: bool) -> None:
    rounds, pairings = (apps.get_model("annotation", name) for name in ("PairRound", "AdaptivePairing"))
    for pairing in pairings.objects.all():
        known: dict[str, Any] = {}
        for pk, counts in _whole(rounds.objects.filter(pairing=pairing).order_by("number")):
            stored = [row for row in counts if known.get(row[0]) != row] if changed else counts
            known = {row[0]: row for row in counts}
            rounds.objects.filter(pk=pk).update(counts=stored)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0059_adaptive_pairs")]

    operations = [
        migrations.RemoveConstraint(model_name="pairround", name="stop_known"),
        migrations.AlterField(
            model_name="pairround",
            name="stopped",
            field=models.CharField(blank=True, choices=[(stop, stop) for stop in STOPS], max_length=12),
        ),
        migrations.AddConstraint(
            model_name="pairround",
            constraint=models.CheckConstraint(
                condition=models.Q(("stopped__in", ["", *STOPS])), name="stop_known"
            ),
        ),
        migrations.RunPython(keep_changes, keep_everything),
    ]
