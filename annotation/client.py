"""A client of the API: a study is made, opened and read from a script or a notebook.

It needs `requests` and `pandas` (extra `client`), and neither Django nor a database.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

# Seconds between two requests for the state of a running file or computation.
PAUSE = 1.0
# What is safe to send again when a proxy or a busy server sends nothing back.
RETRIES = Retry(total=5, backoff_factor=0.5, status_forcelist=(429, 502, 503, 504), allowed_methods=("GET",))
# Columns that may look like numbers and are none.
KEYS = ("study", "item", "group", "system", "form", "rater", "slot", "criterion", "reason", "remark")
UNDER_WAY = {"queued", "running"}
RESPONSE_SECONDS = 120


class Refused(Exception):
    """What Groundwork refused: `status`, `code` for programs, `fields` with the problem of each field."""

    def __init__(self, status: int, code: str, message: str, fields: Mapping[str, Any]) -> None:
        super().__init__(f"{message} ({code}, status {status})")
        self.status = status
        self.code = code
        self.fields = dict(fields)


class Groundwork:
    """An installation, and the account whose token is sent.

    Parameters
    ----------
    address : str
        Where it is, such as `https://ratings.example.org`.
    token : str
        An API token (*API tokens* in the menu under your name); `write` where anything is changed.
    """

    def __init__(self, address: str, *, token: str) -> None:
        self.address = address.rstrip("/")
        self.api = self.address + "/api/v1"
        self.session = requests.Session()
        self.session.headers.update({"Authorization": f"Token {token}", "Accept": "application/json"})
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, HTTPAdapter(max_retries=RETRIES))

    def studies(self) -> pd.DataFrame:
        """The studies in which you have a role, one row each."""
        return pd.DataFrame(self.list_all("/studies/"))

    def study(self, slug: str) -> Study:
        """A study that exists."""
        return Study(self, self.call("GET", f"/studies/{slug}/")["slug"])

    def create_study(self, slug: str, definition: Mapping[str, Any]) -> Study:
        """Create a draft from a definition, as *Settings → Definition* shows it."""
        made = self.call("POST", "/study-definitions/", json={"slug": slug, "definition": dict(definition)})
        return Study(self, made["slug"])

    def call(self, method: str, path: str, **sent: Any) -> Any:
        """Send a request to a path of the API, and return what came back.

        Parameters
        ----------
        method : str
            `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
        path : str
            After `/api/v1`, or a whole address of this installation.
        **sent
            As of `requests.request`: `json`, `params`, `files`.

        Raises
        ------
        Refused
            Any status of 400 or more.
        """
        address = path if path.startswith(self.api) else self.api + path
        answer = self.session.request(method, address, timeout=RESPONSE_SECONDS, **sent)
        is_json = answer.headers.get("Content-Type", "").startswith("application/json")
        if not answer.ok:
            problem = answer.json() if is_json else {}
            raise Refused(
                answer.status_code,
                problem.get("code", "http_error"),
                problem.get("message", answer.reason),
                problem.get("fields", {}),
            )
        return answer.json() if is_json else answer.content

    def list_all(self, path: str) -> list[dict[str, Any]]:
        """The entries of all pages of a list."""
        entries: list[dict[str, Any]] = []
        next_page: str | None = path
        while next_page:
            page = self.call("GET", next_page)
            entries += page["results"]
            next_page = page["next"]
        return entries

    def wait(self, started: Mapping[str, Any]) -> dict[str, Any]:
        """Wait for a job, or for a file that was sent, and return how it ended.

        Raises
        ------
        Refused
            A job failed or was cancelled (its `error_code`), or a file was refused.
        """
        now = dict(started)
        while now.get("state") in UNDER_WAY:
            time.sleep(PAUSE)
            now = self.call("GET", now["url"])
        if now.get("state") in {"failed", "cancelled"}:
            code = now.get("error_code") or now["state"]
            raise Refused(409, code, now.get("error") or f"The job was {now['state']}.", {})
        return now


class Study:
    """One study of an installation.

    Parameters
    ----------
    groundwork : Groundwork
        Where it is.
    slug : str
        Its short name, as in its address.
    """

    def __init__(self, groundwork: Groundwork, slug: str) -> None:
        self.groundwork = groundwork
        self.slug = slug

    def add_items(self, items: pd.DataFrame | Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """Add items: one row each, with `item` and the fields that the form shows.

        Parameters
        ----------
        items : DataFrame or iterable of mappings
            Columns as of a file of items: `item`, optionally `group` and `system`, and the fields.

        Returns
        -------
        dict
            What was stored.
        """
        table = items if isinstance(items, pd.DataFrame) else pd.DataFrame(list(items))
        file = ("items.csv", table.to_csv(index=False).encode(), "text/csv")
        sent = self.groundwork.call("POST", f"/studies/{self.slug}/items/", files={"file": file})
        ended = self.groundwork.wait(sent)
        return dict(ended.get("outcome", ended))

    def open(self) -> None:
        """Open the study: raters can join."""
        self._change_state("open")

    def pause(self) -> None:
        """Pause the study: raters cannot join or rate until it is opened again."""
        self._change_state("paused")

    def close(self) -> None:
        """Close the study."""
        self._change_state("closed")

    def invite(self, label: str = "everybody") -> str:
        """Create an invitation link, by which any rater can join, and return it."""
        made = self.groundwork.call("POST", f"/studies/{self.slug}/invitations/", json={"label": label})
        return f"{self.groundwork.address}/join/{made['token']}/"

    def export(self, what: str) -> pd.DataFrame:
        """A table of *Export*, such as `ratings`, `tuples`, `scores` or `raters`.

        Keys are text, as they were entered: `007` and `7` are two items.
        """
        asked = {"what": what, "format": "csv"}
        content = self.groundwork.call("GET", f"/studies/{self.slug}/exports/", params=asked)
        keys: Any = dict.fromkeys(KEYS, str)
        return pd.read_csv(io.BytesIO(content), dtype=keys, keep_default_na=False, na_values=[""])

    def ratings(self, *, counting: bool = True) -> pd.DataFrame:
        """Ratings, one row for each response and criterion.

        Parameters
        ----------
        counting : bool
            Only current ones that came in time and are not excluded, which statistics use.
        """
        rows = self.export("ratings")
        return rows[rows["current"] & ~rows["late"] & ~rows["excluded"]] if counting else rows

    def reliability(self, **settings: Any) -> pd.DataFrame:
        """Compute reliability, wait for it, and return its statistics, one row each.

        Parameters
        ----------
        **settings
            `replicates`, `seed`, `pool_versions`, as of `POST reports/`.
        """
        started = self.groundwork.call("POST", f"/studies/{self.slug}/reports/", json=settings)
        ended = self.groundwork.wait(started)
        return pd.DataFrame(self.groundwork.call("GET", ended["report_url"])["results"])

    def _change_state(self, state: str) -> None:
        self.groundwork.call("POST", f"/studies/{self.slug}/state/", json={"state": state})
