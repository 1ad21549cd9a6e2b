"""What every test may rely on: where it runs, on which database, and what is skipped where."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.test import TransactionTestCase
from hypothesis import settings
from pytest_django.plugin import DjangoDbBlocker
from xdist.remote import Producer

from config.settings import env
from tests.support import chromium, postgres, redis_server
from tests.support.installation import Installation
from tests.support.running import tables
from tests.support.running.distribution import ByFile, give_own_ids
from tests.support.running.durations import Durations, recorded
from tests.support.running.published_data import DATA_FOLDERS, ROOT, find_published_data

# A busy machine is slow; no test may fail for it.
settings.register_profile("untimed", deadline=None, max_examples=100)
settings.load_profile("untimed")
DATABASE_MARKS = ("django_db", "processes", "browser")
# These are the same on every database; what they read and store is tested in `services` and `api`.
SAME_ON_EVERY_DATABASE = {
    *("bundle", "commands", "published", "replication", "rights", "serving", "views"),
    *("test_conformance", "test_malformed_imports", "test_nested_bodies", "test_clients"),
    *("test_no_secret_in_logs", "test_secret_key_file", "test_generated_round_trip"),
    *("test_published", "test_demo", "test_two_weeks", "test_first_item", "test_round_trip"),
    *("test_model_judge_pages", "test_judge_page", "test_notebooks"),
    # They compute from rows that other tests of reports, metrics and judges read on both.
    *("test_methods_histories", "test_mixed_model", "test_generalisability", "test_judge_report"),
    *("test_power", "test_choice_power", "test_opening_question", "test_rank_caution", "test_repetition"),
    *("test_reference_results", "test_likert_means", "test_tuple_figures", "test_new_raters"),
    *("test_before_after", "test_option_report", "test_option_page", "test_local_runs"),
}
# What `tests.run` leaves out of the second pass.
ONE_PASS_MARKS = ("pure", "once", "browser")
DATABASE_FIXTURES = {
    "db",
    "transactional_db",
    "django_db_serialized_rollback",
    "live_server",
    "installation",
    "migrated",
}


def pytest_configure(config: pytest.Config) -> None:
    """With `CI=true` nothing may be skipped for want of a browser or a Redis."""
    if hasattr(config, "workerinput"):
        return
    if record := os.environ.get("TEST_DURATIONS"):
        config.pluginmanager.register(Durations(Path(record)))
    if not env.flag("CI", default=False):
        return
    if not chromium.find():
        raise pytest.UsageError("CI=true, and there is no Chromium: install it or set TEST_CHROMIUM.")
    if not redis_server.find():
        raise pytest.UsageError("CI=true, and no Redis answers: start one or set TEST_REDIS_URL.")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    record = os.environ.get("TEST_DURATIONS")
    return ByFile(config, log, recorded(Path(record)) if record else {})


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """A second pass reads the files alone in which the first one found tests for it."""
    listed = os.environ.get("TEST_FILES_OF_THIS_PASS")
    if not listed or not collection_path.is_file():
        return None
    return str(collection_path) not in Path(listed).read_text(encoding="utf-8").splitlines() or None


def pytest_unconfigure(config: pytest.Config) -> None:
    server = os.environ.get("TEST_DATABASE_URL", "")
    if server and not hasattr(config, "workerinput"):
        tables.drop_template(server)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: the garbage collector never looks through it, and runs seldom."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    give_own_ids(items)
    no_browser = pytest.mark.skip(reason="no Chromium on this machine (Debian: apt-get install chromium)")
    no_data = pytest.mark.skip(reason=f"no published data: {DATA_FOLDERS[0]} does not exist")
    for item in items:
        if not _uses_database(item):
            item.add_marker(pytest.mark.pure)
        folders = item.path.relative_to(ROOT).parent.parts
        if {*folders, item.path.stem} & SAME_ON_EVERY_DATABASE:
            item.add_marker(pytest.mark.once)
        if item.get_closest_marker("browser") and not chromium.find():
            item.add_marker(no_browser)
        if item.get_closest_marker("published_data") and find_published_data() is None:
            item.add_marker(no_data)
    if listed := os.environ.get("TEST_FILES_OF_NEXT_PASS"):
        again = {str(item.path) for item in items if not any(map(item.get_closest_marker, ONE_PASS_MARKS))}
        Path(listed).write_text("\n".join(sorted(again)), encoding="utf-8")


def _uses_database(item: pytest.Item) -> bool:
    marked = any(item.get_closest_marker(name) for name in DATABASE_MARKS)
    requested = DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
    case = getattr(item, "cls", None)
    return marked or bool(requested) or (case is not None and issubclass(case, TransactionTestCase))


@pytest.fixture(autouse=True)
def _no_log_in_is_remembered() -> None:
    """Log-ins are limited by the minute, and each test has its own minute."""
    cache.clear()


@pytest.fixture(scope="module")
def demo_of_the_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    """The number of the demo study, which each test finds as it was made."""
    # Not by the process that only hands out the tests.
    from annotation.selectors.studies.demo_study import public_demo
    from annotation.services.studies.demo import ensure_demo

    with tables.rows_of_a_module(django_db_blocker):
        ensure_demo()
        study = public_demo()
        assert study is not None
        yield study.pk


@pytest.fixture(scope="session")
def published_data() -> Path:
    """The folder of the published data sets; the test carries the mark `published_data`."""
    folder = find_published_data()
    assert folder is not None, "mark the test with @pytest.mark.published_data"
    return folder


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's programme; the test carries the mark `browser`."""
    path = chromium.find()
    assert path is not None, "mark the test with @pytest.mark.browser"
    return path


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The address of a Redis, without the number of a database."""
    url = redis_server.find()
    if url is None:
        pytest.skip("no Redis answers on 127.0.0.1:6379 (or set TEST_REDIS_URL)")
    return url


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """A Groundwork of its own: SQLite and the file-system queue, or PostgreSQL and Redis in that pass.

    The test carries the mark `processes`.
    """
    with _installed(tmp_path / "var", with_tables=False) as made:
        yield made


@pytest.fixture
def migrated(tmp_path: Path) -> Iterator[Installation]:
    """An `installation` with its tables and static files, for tests that are not about its first start."""
    with _installed(tmp_path / "var", with_tables=True) as made:
        yield made


@contextlib.contextmanager
def _installed(var: Path, *, with_tables: bool) -> Iterator[Installation]:
    server = os.environ.get("TEST_DATABASE_URL", "")
    with contextlib.ExitStack() as services:
        settings: dict[str, str] = {}
        if server:
            name = f"groundwork_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{os.getpid()}"
            template = tables.template_on(server) if with_tables else "template1"
            settings["DATABASE_URL"] = services.enter_context(
                postgres.scratch_database(server, name, template)
            )
            if broker := services.enter_context(redis_server.empty_queue()):
                settings["CELERY_BROKER_URL"] = broker
            if with_tables:
                var.mkdir()
                tables.link_static_files(var)
        elif with_tables:
            tables.of_an_installation(var)
        made = Installation(var, settings)
        services.callback(made.close)
        yield made


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """An SQLite file that has the tables is taken as it is; it goes with the folder of the run."""
    return not os.environ.get("TEST_DATABASE_URL")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The database of this process begins as a copy: making the tables takes longer than most tests."""
    test_settings = django_settings.DATABASES["default"]["TEST"]
    server = os.environ.get("TEST_DATABASE_URL", "")
    if server:
        test_settings["TEMPLATE"] = tables.template_on(server)
    else:
        tables.copy_to(Path(test_settings["NAME"]))
