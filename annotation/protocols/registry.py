"""The study templates that come with the product, by key."""

from __future__ import annotations

from annotation.protocols.hauser import HAUSER
from annotation.protocols.template import StudyTemplate

TEMPLATES: dict[str, StudyTemplate] = {template.key: template for template in (HAUSER,)}
