"""The probing sets of He et al. (ACL 2022), with their one public human answer, as a closed study."""

from __future__ import annotations

from django.db import transaction

from annotation.io.items.probing_file import ProbingFile
from annotation.models import Study, User
from annotation.protocols.probing import PROBING
from annotation.services.base.bulk_insert import Progress
from annotation.services.items.probing_files import store_probing
from scoring.services.reports.published.study_builder import loads_once, make_study

NAME = "simile_probing"


@loads_once(NAME)
def import_simile_probing(files: list[ProbingFile], owner: User | None, progress: Progress) -> Study:
    """Load both sets of questions as one study; the set is the items' system.

    It is one study, because both sets have the same form and are compared with each other. The files are
    `Quizzes.csv` and `General_Corpus.csv`. An answer that is no option is stored as a can't-rate with a
    remark (`refused_answers`).

    Parameters as of `Importer`, but what was read.
    """
    with transaction.atomic():
        study = make_study(
            name=NAME,
            title="Simile probing, published questions",
            description="1,633 similes with the property left out, four options and one human answer each "
            "(He et al., ACL 2022).",
            template=PROBING,
            overlap=1,
            identified=False,
            owner=owner,
        )
        store_probing(study=study, files=files, answers=True, actor=owner, progress=progress)
    return study
