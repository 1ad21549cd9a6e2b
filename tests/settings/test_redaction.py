"""No link that lets its reader in reaches a log, whichever library writes it and whatever went wrong."""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client, RequestFactory, override_settings
from django.urls import path

from config.operations.json_log import impersonal
from config.redaction import configure, redacted
from config.urls import urlpatterns as product

SECRET = "s3cret-T0ken_of-a-rater-0123456789"
LINKS = (
    f"/join/{SECRET}/",
    f"/join/{SECRET}",
    f"/join//{SECRET}/",
    f"/join/{SECRET}/declined/",
    f"/join/{SECRET}/nothing/",
    f"/api/v1/join/{SECRET}/",
    f"/api/v1/join/{SECRET}",
    f"/account/reset/1-{SECRET}/",
    f"/account/reset/1-{SECRET}",
    f"/messages/stop/7:{SECRET}/",
    f"/messages//stop/7%3A{SECRET}",
)


def broken(request, **_):
    raise RuntimeError(f"Broken at {request.get_full_path()}, token='{SECRET}'")


urlpatterns = [
    path("join/<str:token>/broken/", broken),
    path("api/v1/join/<str:token>/broken/", broken),
    path("r/<str:token>/broken/", broken),
    path("account/reset/<str:token>/broken/", broken),
    *product,
]
BREAKING = tuple(f"{start}{SECRET}/broken/" for start in ("/join/", "/api/v1/join/", "/account/reset/1-"))


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Everything that any logger writes, through a handler that knows nothing of redaction."""
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s %(args)s"))
    loggers = [logging.getLogger(name) for name in ("", "django", "django.request", "django.security")]
    before = [(logger, logger.level, logger.propagate) for logger in loggers]
    configure(settings.LOGGING)
    logging.getLogger().addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield output
    logging.getLogger().removeHandler(handler)
    for logger, level, propagate in before:
        logger.setLevel(level)
        logger.propagate = propagate


@pytest.mark.django_db
@pytest.mark.parametrize("link", LINKS)
def test_refused_requests_are_logged_without_the_link(written, link):
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    for client in (Client(raise_request_exception=False), strict):
        client.get(link)
        client.post(link, {"agree": "on"})
        client.post(link, "{", content_type="application/json")
        client.put(link)
        client.get(link, headers={"host": f"evil.example{link}"})
        client.get("/nothing/", {"next": link}, headers={"referer": f"https://testserver{link}"})
    text = written.getvalue()
    assert "django.request" in text
    assert "django.security" in text
    assert SECRET not in text


@pytest.mark.django_db
@pytest.mark.parametrize("link", BREAKING)
@override_settings(ROOT_URLCONF=__name__)
def test_a_fault_is_logged_without_the_link_in_its_traceback(written, link):
    answer = Client(raise_request_exception=False).get(link, {"from": link})
    text = written.getvalue()
    assert answer.status_code == 500
    assert "RuntimeError: Broken at" in text
    assert SECRET not in text


@pytest.mark.parametrize("name", ["gunicorn.error", "gunicorn.access", "celery.worker", "anything"])
@pytest.mark.parametrize("link", [*LINKS, *BREAKING])
def test_every_other_logger_is_covered_too(written, name, link):
    logger = logging.getLogger(name)
    logger.setLevel(logging.DEBUG)
    logger.propagate = True
    logger.error("Error handling request %s", link)
    logger.info('"GET %(path)s"', {"path": link})
    logger.info(f"Authorization: Invitation {SECRET}")
    logger.info("too many %s", link, link)  # noqa: PLE1205 - the fault itself
    try:
        raise ValueError(f"Key (token)=({SECRET}) already exists.")
    except ValueError:
        logger.exception("Not stored", stack_info=True)
    text = written.getvalue()
    assert "Not stored" in text
    assert SECRET not in text


@pytest.mark.parametrize(
    "text",
    ["/account/reset/sent/", "/account/reset/done/", "/rate/lamps/", "Token for my script", "/studies/r/x"],
)
def test_what_is_no_secret_stays(text):
    assert redacted(text) == text


class Telling(logging.Formatter):
    """Formats the exception by itself and prints whatever a call has added, as formatters of JSON do."""

    def format(self, record: logging.LogRecord) -> str:
        added = {name: str(value) for name, value in vars(record).items() if name not in {"msg", "args"}}
        raised = self.formatException(record.exc_info) if record.exc_info else record.exc_text
        return f"{record.getMessage()} {raised} {added}"


@pytest.mark.parametrize("sent", [f"/join/{SECRET}/", f"/pay/?PROLIFIC_PID={SECRET}&x=1"])
def test_a_formatter_that_prints_all_of_a_record_prints_no_secret(sent):
    output = io.StringIO()
    settings_of_json = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"all": {"()": Telling}},
        "handlers": {"all": {"class": "logging.StreamHandler", "formatter": "all", "stream": output}},
        "loggers": {"telling": {"handlers": ["all"], "level": "DEBUG"}},
    }
    configure(settings_of_json)
    logger = logging.getLogger("telling")
    try:
        raise RuntimeError(f"Broken at {sent}")
    except RuntimeError:
        logger.exception("Broken at %s", sent, extra={"path": sent, "request": RequestFactory().get(sent)})
    finally:
        logger.handlers.clear()
    text = output.getvalue()
    assert "RuntimeError: Broken at" in text
    assert SECRET not in text


@pytest.mark.parametrize(
    "text",
    [
        f"GET /join/x/?PROLIFIC_PID={SECRET}&STUDY_ID={SECRET} HTTP/1.1",
        f"/account/oidc/lab/login/callback/?code={SECRET}&state={SECRET}",
        f"<QueryDict: {{'code': ['{SECRET}'], 'x': ['1']}}>",
        f"Cookie: sessionid={SECRET}; csrftoken={SECRET}",
        f"{{'password': '{SECRET}'}}",
        f"DETAIL:  Key (study_id, person)=(1, {SECRET}) already exists.",
        f"DETAIL:  Key (study_id, lower(email::text))=(1, {SECRET}) already exists.",
        f"{{'no_consent_code': '{SECRET}'}}",
        f"failed_checks_code='{SECRET}'",
        f"DETAIL:  Failing row contains (1, {SECRET}, null).",
        f"made gw-{SECRET}",
        f"postgres://groundwork:{SECRET}@db:5432/groundwork",
    ],
)
def test_what_says_who_takes_part_or_signs_in_is_hidden(text):
    assert SECRET not in redacted(text)


@pytest.mark.parametrize(
    "word", ["a.", "a.a:", "a@", "a://a:", "<QueryDict: {", "Failing row contains (", "Key (", "?a="]
)
def test_what_anybody_can_send_is_redacted_in_linear_time(word: str) -> None:
    """Where the time were quadratic, these 64 kB would take half a minute."""
    text = word * (65_536 // len(word))
    began = time.process_time()
    redacted(text)
    assert time.process_time() - began < 2


def test_a_long_text_of_half_a_key_is_redacted_in_linear_time() -> None:
    """Where the time were quadratic, this would take a minute."""
    text = "Key (" * 150_000
    began = time.process_time()
    assert impersonal(text) == text
    assert time.process_time() - began < 3


def test_no_address_of_a_person_is_logged_in_any_format() -> None:
    assert redacted("Not Found: /nothing/mara.li@example.edu/") == "Not Found: /nothing/…/"
    assert redacted("refused for {'mara@example.edu': (550, b'no')}") == "refused for {'…': (550, b'no')}"
