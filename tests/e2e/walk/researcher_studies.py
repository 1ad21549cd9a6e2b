"""The studies of the walk through researchers' pages: each with its results computed and work waiting."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.installation import Installation

COMPUTING_SECONDS = 360
# The demo study; studies of tuples, options, preferences and the newest kinds with simulated raters; a draft
# with everything a draft can have, a draft without anything, and an account without a study.
MAKE = """
import json
from annotation.domain.base.states import StudyState
from annotation.models import Study, User
from annotation.protocols.registry import TEMPLATES
from annotation.services.adjudication.case_selection import read_search, request_search
from annotation.services.quality.exclusion_rules import declare_rule
from annotation.services.rating.simulation import simulate
from annotation.domain.rating.simulated_raters import parse_mix
from annotation.services.studies.demo import ensure_demo_results
from annotation.services.studies.demo_studies import create_demo_study
from annotation.services.studies.lifecycle import change_state, create_from_template
from scoring.services.agreement.generalisability import request_generalisability
from scoring.services.metrics.power import request_power
from scoring.services.metrics.metrics import request_metrics
from scoring.services.metrics.mixed_model import request_mixed_model
from scoring.services.raters.item_figures import request_figures
from scoring.services.raters.multiverse import request_multiverse
from scoring.services.reports.bundles import request_bundle
from scoring.services.reports.reliability import request_report
owner = User.objects.get(email="owner@example.org")
def made(name):
    template = TEMPLATES[name]
    return create_demo_study(template=template, slug="walk-" + name.replace("_", "-"), title=template.title,
        owner=owner, overlap=3)
def rated(name):
    study = change_state(study=made(name), to=StudyState.OPEN, actor=owner)
    simulate(study=study, raters=5, mix=parse_mix("careful=.8,random=.2"), seed=1, most=None)
    return study
tuples, options, preferences = rated("cmdag"), rated("simile_probing"), rated("preference")
newest = [rated(name) for name in
    ("best_worst_novelty", "story_pairs", "creativity_tests", "error_spans", "image_captions")]
made("hanna")
create_from_template(template=TEMPLATES["hauser"], slug="walk-empty", title="Weather similes", owner=owner)
User.objects.create_user("newcomer@example.org", password="groundwork-demo")
demo = Study.objects.get(slug="everyday-similes")
ensure_demo_results()
for study in (demo, tuples, options, preferences, *newest):
    request_report(study=study, actor=owner)
declare_rule(study=demo, actor=owner, name="Fast responses", reason="Too fast to have read the text.",
    criteria=["Quality"], conditions=[{"kind": "lacks_context", "raters": 1}])
request_figures(study=demo, actor=owner)
request_multiverse(study=demo, actor=owner)
request_mixed_model(study=demo, actor=owner)
request_power(study=demo, given={"question": "systems", "studies": 50}, actor=owner)
request_generalisability(study=demo, actor=owner)
request_bundle(study=demo, actor=owner)
request_search(study=demo, actor=owner, search=read_search(demo, {
    "rule": "spread", "form": demo.forms.get().key, "criterion": "quality", "bound": "1"}))
request_metrics(study=demo, actor=owner)
"""
WAITING = """
from annotation.models import Job
print("LEFT", Job.objects.filter(state__in=["queued", "running"]).count())
"""


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with these studies, when their results are there."""
    with TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "var", {})
        with installation.serve("--demo", "--bind", "127.0.0.1:0") as server:
            server.wait_until_ready()
            installation.run_script(MAKE)
            _wait_for_results(installation)
            yield server.url
            installation.close()


def _wait_for_results(installation: Installation) -> None:
    until = time.monotonic() + COMPUTING_SECONDS
    while installation.run_script(WAITING).split()[-1] != "0":
        if time.monotonic() > until:
            raise TimeoutError("the results of the walk's studies are not there")
        time.sleep(1)


if __name__ == "__main__":
    with served() as address:
        sys.stdout.write(f"For walks with --at {address}; Ctrl-C stops it.\n")
        sys.stdout.flush()
        signal.pause()
