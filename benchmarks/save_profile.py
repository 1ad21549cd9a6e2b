"""Where the time goes between an answer and the next page, in one process on SQLite.

    python -m benchmarks.save_profile [--saves 300]

The rater saves item after item, as the page's own script does, without a network between. Shares are of
the time in the request handler, by cProfile, which slows Python down and C not: compare shares, not times.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.exact import MAKE, found
from tests.support.installation import Installation

PARTS = {
    "rendering the page": ("django/shortcuts.py", "render"),
    "storing the answer and finding the next item": ("submit_and_advance.py", "submit_and_advance"),
    "of these, the commit": ("sqlite/base.py", "_commit"),
    "finding session and rater": ("rater_session.py", "rater_for"),
    "all statements of the database": ("db/backends/utils.py", "execute"),
    "compressing": ("middleware/gzip.py", "process_response"),
}
PROFILE = """
import cProfile, gzip, json, pstats
from django.test import Client
from benchmarks.quick_client import Answered, rating_form
token, saves, parts = json.loads({given!r})
headers = {{"accept-encoding": "gzip", "prefer": "return=representation"}}
rater = Client(SERVER_NAME="localhost", headers=headers)
rater.post(f"/join/{{token}}/")
answer = rater.get(rater.get("/rate/profile/").headers["Location"])
profile = cProfile.Profile()
for number in range(saves + 40):
    action, fields = rating_form(Answered(200, "", gzip.decompress(answer.content).decode(), 0.0))
    if number >= 40:
        profile.enable()
    answer = rater.post(action, fields)
    profile.disable()
    assert answer.status_code == 200, answer
stats = pstats.Stats(profile).stats
def spent(file, name):
    rows = [row for (path, _, function), row in stats.items() if path.endswith(file) and function == name]
    return sum(row[3] for row in rows)
handled = spent("core/handlers/base.py", "get_response")
print("FOUND" + json.dumps({{part: spent(*place) / handled for part, place in parts.items()}}))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--saves", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundwork-profile-") as folder:
        installation = Installation(Path(folder) / "var", {})
        for command in (("migrate", "--verbosity", "0"), ("collectstatic", "--no-input", "--verbosity", "0")):
            installation.manage(*command).check_returncode()
        study = {"slug": "profile", "items": options.saves + 100, "overlap": 3, "checks": False}
        token = found(installation, MAKE.format(given=json.dumps(study)))
        given = json.dumps([token, options.saves, PARTS])
        for part, share in json.loads(found(installation, PROFILE.format(given=given))).items():
            print(f"{share:6.1%}  {part}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
