"""Two small studies of the same items, of which the second repeats the first."""

from __future__ import annotations

from pathlib import Path

from annotation.models import Study, User
from annotation.services.items.rating_files import import_ratings
from annotation.services.studies.lifecycle import create_study

FIRST = {"L1": (3, 3), "L2": (1, 2), "L3": (2, 2), "L4": (1, 1)}
AGAIN = {"L1": (3, 2), "L2": (1, 1), "L3": (3, 2), "L5": (3, 3)}
SYSTEM = {"L1": "crow", "L2": "owl", "L3": "crow", "L4": "owl", "L5": "owl"}


def run_of(
    folder: Path,
    slug: str,
    ratings: dict[str, tuple[int, int]],
    criterion: str = "aptness",
    scale: tuple[int, int] = (1, 3),
) -> Study:
    owner, _ = User.objects.get_or_create(email="me@example.org")
    study = create_study(slug=slug, title=slug, owner=owner)
    lines = [
        f"{item},R{n},{criterion},{value}" for item, own in ratings.items() for n, value in enumerate(own)
    ]
    path = folder / f"{slug}.csv"
    path.write_text("\n".join(["item,rater,criterion,value", *lines]), encoding="utf-8")
    import_ratings(study=study, path=path, scale=scale)
    for item in study.items.all():
        item.system = SYSTEM[item.key]
        item.save()
    return study
