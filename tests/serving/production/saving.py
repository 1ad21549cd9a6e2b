"""What the installation has stored of the study that visitors rate."""

from __future__ import annotations

from tests.support.running.production import Site

COUNT = """
from annotation.models import Response
print(Response.objects.filter(assignment__item__study__slug="similes", current=True).count())
"""


def saved_answers(site: Site) -> int:
    return int(site.run_script(COUNT))
