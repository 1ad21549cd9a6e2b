"""nginx and Caddy in front of Groundwork, by the examples of docker/proxies."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.production.saving import saved_answers
from tests.support.ports import free_port
from tests.support.running import proxies
from tests.support.running.production import HOST, Site
from tests.support.running.proxies import Proxy
from tests.support.running.visitor import Visitor

pytestmark = [pytest.mark.processes]

LINK = "/join/a-link-that-nobody-else-may-know/"
# Two addresses of visitors for each proxy: attempts to log in are remembered for a minute.
ADDRESSES = {"nginx": ("127.0.3.1", "127.0.3.2"), "caddy": ("127.0.3.3", "127.0.3.4")}
TOKEN = "/api/v1/auth/token/"


@pytest.fixture(scope="module", params=list(ADDRESSES))
def name(request: pytest.FixtureRequest) -> str:
    chosen = str(request.param)
    if not proxies.is_installed(chosen):
        pytest.skip(f"no {chosen} on this machine (Debian: apt-get install {chosen})")
    return chosen


@pytest.fixture(scope="module")
def web(site: Site) -> Iterator[Site]:
    with site.web():
        yield site


@pytest.fixture(scope="module")
def proxy(name: str, web: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp("proxy") / name
    with proxies.in_front(name, web.port, folder) as running:
        yield running


@pytest.fixture
def before_nothing(name: str, tmp_path: Path) -> Iterator[Proxy]:
    """A proxy in front of a port on which no process listens."""
    with proxies.in_front(name, free_port(), tmp_path / name) as running:
        yield running


def hears_of(visitor: Visitor, host: str) -> int | None:
    """The status that a request for a host gets; None where the connection ends without an answer."""
    try:
        return visitor.send("GET", "/account/login/", Host=host).status
    except http.client.RemoteDisconnected:
        return None


def test_a_rating_is_saved_through_it_and_its_log_holds_no_link(proxy: Proxy, web: Site, link: str):
    """Groundwork answers no other host, and redirects whatever seems to come without HTTPS."""
    rater = Visitor(proxy.port, proxy.tls)
    page = rater.joins(link)
    before = saved_answers(web)
    assert rater.rates(page).status == 303
    assert saved_answers(web) == before + 1
    assert link.split("/")[2] not in proxy.logged()


def test_groundwork_sees_the_visitor_s_own_address_and_believes_no_other(proxy: Proxy, name: str):
    """Attempts to log in are limited by address: not by that of the proxy, nor by what a visitor writes."""
    first, second = (Visitor(proxy.port, proxy.tls, address) for address in ADDRESSES[name])

    def is_too_many(visitor: Visitor, number: int) -> bool:
        wrong = json.dumps({"email": f"{name}.{number}@example.org", "password": "wrong"}).encode()
        pretended = {"Content-Type": "application/json", "X-Forwarded-For": f"198.51.100.{number}"}
        return visitor.send("POST", TOKEN, wrong, **pretended).status == 429

    assert any(is_too_many(first, number) for number in range(40))
    assert not is_too_many(second, 40)


def test_http_leads_to_https(proxy: Proxy):
    answer = Visitor(proxy.plain_port).send("GET", LINK)
    assert answer.status in {301, 308}
    assert answer.headers["Location"].startswith("https://ratings.example.org")
    assert LINK.split("/")[2] not in proxy.logged()


def test_a_large_body_is_refused_before_groundwork_sees_any_of_it(before_nothing: Proxy):
    visitor = Visitor(before_nothing.port, before_nothing.tls)

    def announced(path: str, size: int) -> int:
        return visitor.send("POST", path, b"x", **{"Content-Length": str(size)}).status

    assert announced(LINK, 12_000_000) == 413
    assert announced("/account/login/", 260_000_000) == 413
    assert announced("/studies/similes/settings/import/", 400_000_000) == 413


def test_members_may_upload_files_and_hear_when_groundwork_is_away(before_nothing: Proxy):
    visitor = Visitor(before_nothing.port, before_nothing.tls)
    answer = visitor.send("POST", "/api/v1/studies/similes/imports/", b"x" * 12_000_000)
    assert (answer.status, answer.headers["Retry-After"]) == (503, "30")
    assert "reload this page: your answers are sent again" in answer.text
    assert answer.headers["Content-Type"] == "text/html"
    assert visitor.send("GET", LINK).status == 503
    assert LINK.split("/")[2] not in before_nothing.logged()


def test_a_name_that_is_not_the_site_s_gets_no_answer(before_nothing: Proxy):
    for visitor in (Visitor(before_nothing.port, before_nothing.tls), Visitor(before_nothing.plain_port)):
        for other in ("other.example.org", "127.0.0.1", "sub.ratings.example.org"):
            assert hears_of(visitor, other) in {None, 421}
        assert hears_of(visitor, HOST) in {301, 308, 503}
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", before_nothing.port), timeout=20)
    with plain, pytest.raises(ssl.SSLError):
        anybody.wrap_socket(plain, server_hostname="other.example.org")


def test_the_health_of_each_part_is_shown_to_the_monitor_s_address_alone(before_nothing: Proxy, name: str):
    monitor = Visitor(before_nothing.port, before_nothing.tls)
    stranger = Visitor(before_nothing.port, before_nothing.tls, ADDRESSES[name][0])
    assert monitor.send("GET", "/health/ready").status == 503
    for path in ("/health/ready", "/health/%72eady?a=b", "//health/ready", "/x/../health/ready"):
        refused = stranger.send("GET", path, b"", **{"X-Forwarded-For": "127.0.0.1"})
        assert refused.status in {403, 404}, path
    assert stranger.send("GET", "/health/live").status == 503


def test_measurements_are_passed_to_the_monitor_s_address_alone(before_nothing: Proxy, name: str):
    """Groundwork asks for a token as well; requests from other addresses do not even get that far."""
    monitor = Visitor(before_nothing.port, before_nothing.tls)
    stranger = Visitor(before_nothing.port, before_nothing.tls, ADDRESSES[name][0])
    assert monitor.send("GET", "/metrics").status == 503
    assert stranger.send("GET", "/metrics", b"", **{"X-Forwarded-For": "127.0.0.1"}).status in {403, 404}
    assert stranger.send("GET", "/%6Detrics?a=b").status in {403, 404}
    assert stranger.send("GET", LINK).status == 503
