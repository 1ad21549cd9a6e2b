"""What the installation has stored."""

from __future__ import annotations

from tests.support.running.production import Site


def saved_answers(site: Site) -> int:
    script = "from annotation.models import Response; print(Response.objects.count())"
    return int(site.run_script(script))
