"""The included study templates, by key."""

from __future__ import annotations

from annotation.protocols.cmdag import CMDAG, CMDAG_PRELIMINARY, CMDAG_REFINED, CMDAG_STAGES
from annotation.protocols.comparing.adaptive_pairs import ADAPTIVE_PAIRS
from annotation.protocols.comparing.best_worst import BEST_WORST_NOVELTY
from annotation.protocols.comparing.story_pairs import STORY_PAIRS
from annotation.protocols.hauser import HAUSER
from annotation.protocols.marking.error_spans import ERROR_SPANS
from annotation.protocols.media.image_captions import IMAGE_CAPTIONS
from annotation.protocols.miyazawa import MIYAZAWA
from annotation.protocols.preference import PREFERENCE, PREFERENCE_TIES
from annotation.protocols.probing import PROBING, PROBING_CATEGORIES, PROBING_SIMILES
from annotation.protocols.stories.creativity_tests import CREATIVITY_TESTS
from annotation.protocols.stories.hanna import HANNA
from annotation.protocols.template import StudyTemplate

TEMPLATES: dict[str, StudyTemplate] = {
    template.key: template
    for template in (
        HAUSER,
        HANNA,
        CREATIVITY_TESTS,
        STORY_PAIRS,
        MIYAZAWA,
        PROBING,
        PROBING_SIMILES,
        PROBING_CATEGORIES,
        PREFERENCE,
        PREFERENCE_TIES,
        ADAPTIVE_PAIRS,
        BEST_WORST_NOVELTY,
        ERROR_SPANS,
        IMAGE_CAPTIONS,
        CMDAG_PRELIMINARY,
        CMDAG_REFINED,
        CMDAG_STAGES,
        CMDAG,
    )
}
