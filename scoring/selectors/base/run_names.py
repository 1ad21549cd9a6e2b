"""Names of scoring runs for pages; files and the API have the stored ones."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.models import ScoreRun

MODELS = {
    "paper": gettext_lazy("published checkpoints"),
    "embedded": gettext_lazy("demonstration models"),
    "lexicon": gettext_lazy("demonstration models, sentiment by a lexicon"),
    "custom": gettext_lazy("checkpoints of this installation"),
    "none": gettext_lazy("no models"),
}
NUMBER = re.compile(r" \(\d+\)$")


def name_of_run(run: ScoreRun) -> str:
    """Give a computed run a readable name; an imported one keeps its own.

    Parameters
    ----------
    run : ScoreRun
        Any run.

    Returns
    -------
    str
        The models and the knowledge base, with the number that distinguishes runs of the same name.
    """
    settings = run.made_with
    if "knowledge_base" not in settings:
        return run.name
    values = {"models": models_of(run), "base": settings["knowledge_base"]["name"]}
    if "components" in settings:
        name = _("HAUSER: %(models)s, knowledge base “%(base)s”, components marked by raters") % values
    else:
        name = _("HAUSER: %(models)s, knowledge base “%(base)s”") % values
    number = NUMBER.search(run.name)
    return name + (number[0] if number else "")


def models_of(run: ScoreRun) -> str:
    """The models of a computed run in words."""
    return str(MODELS.get(run.profile, run.profile))
