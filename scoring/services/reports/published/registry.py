"""The published studies that can be loaded, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.domain.base.errors import NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Membership, Upload
from scoring.services.reports.published.cmdag import import_cmdag
from scoring.services.reports.published.cmdag_tuples import import_cmdag_test, import_cmdag_train
from scoring.services.reports.published.hanna import import_hanna
from scoring.services.reports.published.hauser import import_hauser
from scoring.services.reports.published.miyazawa import import_miyazawa
from scoring.services.reports.published.simile_probing import import_simile_probing
from scoring.services.reports.published.study_builder import Importer

# Items of the data sets as they were published: a copy with another number is not whole.
PUBLISHED_ITEMS: Mapping[str, int] = {
    "hauser": 150,
    "hanna": 1056,
    "miyazawa": 1360,
    "simile_probing": 1633,
    "cmdag": 800,
    "cmdag_test": 2863,
    "cmdag_train": 200,
}
IMPORTERS: Mapping[str, Importer] = {
    "hauser": import_hauser,
    "hanna": import_hanna,
    "miyazawa": import_miyazawa,
    "simile_probing": import_simile_probing,
    "cmdag": import_cmdag,
    "cmdag_test": import_cmdag_test,
    "cmdag_train": import_cmdag_train,
}
# Studies whose files come in the same folder: the command loads those that are there.
RELATED_IMPORTS: Mapping[str, tuple[str, ...]] = {"cmdag": ("cmdag_test", "cmdag_train")}


def load_uploaded_study(*, upload: Upload, path: Path) -> dict[str, Any]:
    """Load a published study from the folder of files that were sent; their sender owns it.

    Raises
    ------
    NotAllowedNow
        Another user has loaded it (`loaded_by_another`).
    """
    owner = upload.created_by
    study, loaded = IMPORTERS[upload.options["study"]](data=path, owner=owner)
    if not loaded and not Membership.objects.filter(study=study, user=owner).exists():
        raise NotAllowedNow(
            message("Another user has already loaded this study. Ask them to add you as a member."),
            code="loaded_by_another",
        )
    return {"study": study.slug, "loaded": loaded}
