"""What every test may rely on: where it runs, on which database, and what is skipped where."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import TransactionTestCase
from hypothesis import settings

from config.settings import env
from tests.support import chromium, postgres, redis_server
from tests.support.installation import Installation

ROOT = Path(__file__).resolve().parents[1]
DATA_FOLDERS = (
    *(Path(folder) for folder in [os.environ.get("GROUNDWORK_DATA")] if folder),
    ROOT.parent / "shared" / "data",
    ROOT / "shared" / "data",
)
# A busy machine is slow; no test may fail for it.
settings.register_profile("untimed", deadline=None, max_examples=100)
settings.load_profile("untimed")
DATABASE = "groundwork.sqlite3"
DATABASE_MARKS = ("django_db", "processes", "browser")
# These are the same on every database; what they read and store is tested in `services` and `api`.
SAME_ON_EVERY_DATABASE = {
    *("bundle", "commands", "published", "replication", "rights", "serving", "views"),
    *("test_conformance", "test_malformed_imports"),
}
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_serialized_rollback", "live_server", "installation"}


def pytest_configure(config: pytest.Config) -> None:
    """With `CI=true` nothing may be skipped for want of a browser or a Redis."""
    if hasattr(config, "workerinput") or not env.flag("CI", default=False):
        return
    if not chromium.find():
        raise pytest.UsageError("CI=true, and there is no Chromium: install it or set TEST_CHROMIUM.")
    if not redis_server.find():
        raise pytest.UsageError("CI=true, and no Redis answers: start one or set TEST_REDIS_URL.")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
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


def _uses_database(item: pytest.Item) -> bool:
    marked = any(item.get_closest_marker(name) for name in DATABASE_MARKS)
    requested = DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
    case = getattr(item, "cls", None)
    return marked or bool(requested) or (case is not None and issubclass(case, TransactionTestCase))


def find_published_data() -> Path | None:
    return next((folder for folder in DATA_FOLDERS if folder.is_dir()), None)


@pytest.fixture(autouse=True)
def _no_log_in_is_remembered() -> None:
    """Log-ins are limited by the minute, and each test has its own minute."""
    cache.clear()


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

    The test carries the marks `processes` and `xdist_group("processes")`.
    """
    server = os.environ.get("TEST_DATABASE_URL", "")
    if not server:
        yield Installation(tmp_path / "var", {})
        return
    name = f"groundwork_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{os.getpid()}"
    with postgres.scratch_database(server, name) as url, redis_server.empty_queue() as broker:
        queue = {"CELERY_BROKER_URL": broker} if broker else {}
        yield Installation(tmp_path / "var", {"DATABASE_URL": url, **queue})


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the product's tables: making them takes longer than most tests."""
    made = Installation(tmp_path_factory.mktemp("tables") / "var", {})
    done = made.manage("migrate", "-v", "0")
    assert done.returncode == 0, done.stderr
    return made.var / DATABASE


@pytest.fixture
def migrated(installation: Installation, request: pytest.FixtureRequest) -> Installation:
    """An `installation` whose tables are there, for tests that are not about its first start."""
    if "DATABASE_URL" in installation.settings:
        assert installation.manage("migrate", "-v", "0").returncode == 0
        return installation
    installation.var.mkdir()
    shutil.copyfile(request.getfixturevalue("tables"), installation.var / DATABASE)
    return installation
