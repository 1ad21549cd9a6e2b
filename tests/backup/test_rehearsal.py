"""A backup of one database is restored into the other, and everything is there again."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.making import EVERY_TABLE, VERIFY, command, on_sqlite
from tests.support import postgres
from tests.support.installation import Installation
from tests.support.running import tables

pytestmark = [pytest.mark.processes]

# Ratings, options, marked tuples, final answers, planted pages; files; rows that are gone again.
FILL = """
from pathlib import Path
from django.core.management import call_command
from django.utils import timezone
from annotation.domain.base.states import JobState
from annotation.models import Job, Study, User, Webhook, WebhookDelivery
from annotation.selectors.base.archives import archive_path
from scoring.services.similes.knowledge_bases import ensure_demo_base, folder
User.objects.create_user("owner@example.org", "simile-and-metaphor-42")
for protocol in ("preference_ties", "cmdag_stages"):
    call_command("demo_study", protocol, owner="owner@example.org", slug=protocol, open=True)
    call_command("simulate", protocol, raters=2, seed=5, most=2)
ensure_demo_base()
folder().base("demo").rename(folder().base("own"))
study = Study.objects.get(slug="cmdag_stages")
job = Job.objects.create(study=study, kind="bundle", state=JobState.DONE, finished_at=timezone.now())
archive_path(job).parent.mkdir(parents=True)
archive_path(job).write_bytes(b"a bundle")
Job.objects.create(study=study, kind="metrics", state=JobState.RUNNING, lease_until=timezone.now(),
                   lease="12345678-1234-5678-1234-567812345678")
Job.objects.create(study=study, kind="reliability", params={"n": 2}).delete()
hook = Webhook.objects.create(study=study, address="https://hooks.example.org/")
WebhookDelivery.objects.create(webhook=hook, event="study_opened", body="{}", next_at=timezone.now())
"""
LEFT = """
import json
from annotation.models import Job, Study, WebhookDelivery
from annotation.selectors.base.archives import archive_path
from django.conf import settings
from pathlib import Path
study = Study.objects.get(slug="cmdag_stages")
bundle = Job.objects.get(kind="bundle")
last = Job.objects.create(study=study, kind="components")
print(json.dumps({
    "bundle": archive_path(bundle).read_text(),
    "mode": oct(archive_path(bundle).stat().st_mode & 0o777),
    "bases": sorted(path.name for path in Path(settings.KNOWLEDGE_FOLDER).iterdir()),
    "metrics": list(Job.objects.filter(kind="metrics").values_list("state", "lease")),
    "waiting": WebhookDelivery.objects.filter(next_at__isnull=False).count(),
    "number": last.pk, "highest": Job.objects.exclude(pk=last.pk).latest("pk").pk,
}))
last.delete()
"""

# Of one line each, as a person may have written them.
KEYS = {"secret-key": "ein Schlüssel mit Leerzeichen", "secret-key-fallbacks": "one before\nand the first"}


@pytest.fixture
def in_postgresql(tmp_path: Path) -> Iterator[Installation]:
    with postgres.running() as server:
        if server is None:
            pytest.skip("no PostgreSQL")
        name = f"groundwork_rehearsal_{os.getpid()}"
        (tmp_path / "second").mkdir()
        for file, key in KEYS.items():
            (tmp_path / "second" / file).write_text(key, encoding="utf-8")
        template = tables.template_on(server)
        with (
            postgres.scratch_database(server, name, template) as url,
            closing(Installation(tmp_path / "second", {"DATABASE_URL": url})) as made,
        ):
            yield made
        tables.drop_template(server)


@pytest.mark.once
def test_a_backup_is_restored_into_the_other_database_with_the_same_exports(
    tmp_path: Path, in_postgresql: Installation
) -> None:
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    with closing(on_sqlite(tmp_path / "first")) as source, closing(on_sqlite(tmp_path / "third")) as back:
        source.run_script(FILL)
        exported = source.run_script(EVERY_TABLE)
        output = command(source, "backup", str(first))
        assert "does not contain the secret key" in output
        assert "the file secret-key in GROUNDWORK_VAR" in output
        assert stat.S_IMODE(first.stat().st_mode) == 0o600
        output = command(in_postgresql, "restore", str(first))
        assert "another secret key" in output
        assert "start again: 1" in output
        assert "not sent: 1" in output
        assert in_postgresql.run_script(EVERY_TABLE) == exported
        assert in_postgresql.run_script(VERIFY) == "[]\n"
        left = json.loads(in_postgresql.run_script(LEFT))
        assert (left["bundle"], left["mode"]) == ("a bundle", "0o600")
        assert left["bases"] == ["own.kb.sqlite3"]
        assert left["metrics"] == [["queued", None]]
        assert left["waiting"] == 0
        # The number of a job that was deleted is not given again: its file may be known elsewhere.
        assert left["number"] == left["highest"] + 2
        command(in_postgresql, "backup", str(second), "--with-key")
        assert "another secret key" not in command(back, "restore", str(second))
        assert back.run_script(EVERY_TABLE) == exported
        assert back.run_script(VERIFY) == "[]\n"
        for name, key in KEYS.items():
            assert (tmp_path / "third" / name).read_text(encoding="utf-8") == key
