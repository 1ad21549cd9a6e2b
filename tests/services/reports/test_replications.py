"""Replications: computed by a job, stored once for the same files."""

from __future__ import annotations

import shutil

import pytest
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError
from annotation.models import Job, User
from annotation.services.base.jobs import claim
from scoring.models import ReplicationRun
from scoring.services.reports.replications import compute_replication, request_replication

pytestmark = [pytest.mark.django_db, pytest.mark.published_data]


@pytest.fixture
def folder(published_data, tmp_path, settings):
    settings.PUBLISHED_DATA = tmp_path
    shutil.copytree(published_data / "hauser", tmp_path / "hauser")
    (tmp_path / "hauser" / "human_annotated.csv").chmod(0o644)
    return tmp_path / "hauser"


def compute() -> ReplicationRun:
    job = request_replication(name="hauser", actor=None)
    assert job is not None
    lease = claim(job_id=job.pk)
    assert lease is not None
    return compute_replication(lease=lease)


def test_the_same_files_are_computed_once(folder):
    run = compute()
    assert run.counts["reproduces"] > 100
    assert request_replication(name="hauser", actor=None) is None
    assert Job.objects.count() == 1


def test_other_files_are_computed_again(folder):
    compute()
    path = folder / "human_annotated.csv"
    path.write_bytes(path.read_bytes() + b"\n")
    assert request_replication(name="hauser", actor=None) is not None


def test_asking_twice_makes_one_job(folder):
    jobs = [request_replication(name="hauser", actor=None) for _ in range(2)]
    assert jobs[0] == jobs[1]


def test_a_missing_file_is_named_and_makes_no_job(folder):
    (folder / "human_annotated.csv").unlink()
    with pytest.raises(GroundworkError, match="human_annotated") as caught:
        request_replication(name="hauser", actor=None)
    assert caught.value.code == "missing_file"
    assert not Job.objects.exists()


def test_a_broken_file_fails_the_job_with_its_code(folder):
    path = folder / "human_annotated.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("BLEU2", "BLEU9", 1), encoding="utf-8")
    with pytest.raises(GroundworkError, match="BLEU2") as caught:
        compute()
    assert caught.value.code == "missing_column"
    assert not ReplicationRun.objects.exists()


def test_its_page_shows_printed_next_to_computed_and_gives_the_cells_away(folder, client):
    compute()
    client.force_login(User.objects.create_user(email="reader@example.org", name="Reader"))
    page = client.get(reverse("replication", args=["hauser"])).content.decode()
    assert "0.812" in page
    assert "0.81169" in page
    for file_format in ("csv", "tex", "json"):
        answer = client.get(reverse("replication-download", args=["hauser", file_format]))
        assert b"Quality" in answer.content


def test_a_page_without_results_says_of_none_that_it_was_computed(folder, client):
    person = User.objects.create_user(email="reader@example.org", name="Reader", is_site_administrator=True)
    client.force_login(person)
    page = client.get(reverse("replication", args=["hauser"])).content.decode()
    assert "The tables are computed from these files" in page
    assert "Computed from" not in page


def test_the_pages_name_a_study_and_its_statuses_in_words(folder, client):
    client.force_login(User.objects.create_user(email="reader@example.org", name="Reader"))
    compute()
    index = client.get(reverse("replications")).content.decode()
    assert ">HAUSER</a>" in index
    page = client.get(reverse("replication", args=["hauser"])).content.decode()
    assert "<h1>HAUSER</h1>" in page
    assert "differs in the last digit" in page
    assert not {"last-digit", "no-paper-figure", "not-computable"} & set(page.split())
