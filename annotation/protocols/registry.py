"""The included study templates, by key."""

from __future__ import annotations

from annotation.protocols.cmdag import CMDAG, CMDAG_PRELIMINARY, CMDAG_REFINED, CMDAG_STAGES
from annotation.protocols.hanna import HANNA
from annotation.protocols.hauser import HAUSER
from annotation.protocols.miyazawa import MIYAZAWA
from annotation.protocols.preference import PREFERENCE, PREFERENCE_TIES
from annotation.protocols.probing import PROBING, PROBING_CATEGORIES, PROBING_SIMILES
from annotation.protocols.template import StudyTemplate

TEMPLATES: dict[str, StudyTemplate] = {
    template.key: template
    for template in (
        HAUSER,
        HANNA,
        MIYAZAWA,
        PROBING,
        PROBING_SIMILES,
        PROBING_CATEGORIES,
        PREFERENCE,
        PREFERENCE_TIES,
        CMDAG_PRELIMINARY,
        CMDAG_REFINED,
        CMDAG_STAGES,
        CMDAG,
    )
}
