"""The schema is complete and the documentation page needs no other site."""

from __future__ import annotations

from io import StringIO
from urllib.parse import urlsplit

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import URLResolver, get_resolver
from playwright.sync_api import ConsoleMessage, Request, sync_playwright
from pytest_django.live_server_helper import LiveServer


def test_the_schema_is_valid_and_leaves_nothing_to_guess() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=StringIO(), stderr=StringIO())


def test_every_address_of_the_api_is_in_the_schema(client: Client) -> None:
    schema = yaml.safe_load(client.get("/api/schema/").content)
    included = [found for found in get_resolver().url_patterns if str(found.pattern) == "api/v1/"]
    routed = [len(found.url_patterns) for found in included if isinstance(found, URLResolver)]
    assert len(schema["paths"]) == sum(routed) > 0


def test_only_the_documentation_page_may_style_itself_inline(client: Client) -> None:
    page = client.get("/api/docs/").headers["Content-Security-Policy"]
    other = client.get("/api/schema/").headers["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in page
    assert "unsafe-inline" not in other
    assert "script-src" not in page
    assert "default-src 'self'" in page


def test_the_documentation_page_is_only_read(client: Client) -> None:
    client.raise_request_exception = False
    assert {client.generic(method, "/api/docs/").status_code for method in ("OPTIONS", "POST")} == {405}


@pytest.mark.browser
def test_the_documentation_page_shows_every_operation_and_asks_this_host_alone(
    live_server: LiveServer, chromium_path: str
) -> None:
    complaints: list[str] = []
    hosts: set[str] = set()
    schema = yaml.safe_load(Client().get("/api/schema/").content)
    n = sum(len(operations) for operations in schema["paths"].values())

    def note(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(message.text)

    def visit(request: Request) -> None:
        if not request.url.startswith("data:"):
            hosts.add(urlsplit(request.url).netloc)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(request.url))
        page.on("request", visit)
        page.goto(f"{live_server.url}/api/docs/")
        page.locator(".opblock-tag").first.wait_for()
        shown = page.locator(".opblock-summary")
        found = 0
        for section in page.locator(".opblock-tag").all():
            # All sections open at once would be more than the page can show.
            section.click()
            shown.first.wait_for()
            found += shown.count()
            section.click()
            shown.first.wait_for(state="hidden")
        assert found == n
        page.locator(".opblock-tag", has_text="rate").click()
        page.get_by_text("/api/v1/rate/{slug}/next/").first.click()
        page.locator(".opblock-body .responses-table").first.wait_for()
        browser.close()
    assert complaints == []
    assert hosts == {urlsplit(live_server.url).netloc}
