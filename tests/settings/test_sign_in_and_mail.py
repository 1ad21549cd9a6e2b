"""The settings of the institution’s sign-in and of mail: complete, or the start stops with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from config.redaction import redacted
from config.settings import env, institution, mail

ALL = {
    "ISSUER": "https://sso.example.edu/realms/main/",
    "CLIENT_ID": "groundwork",
    "CLIENT_SECRET": "secret",
    "DOMAINS": "Example.edu, cs.example.edu",
}


class TestInstitution:
    def read(self, monkeypatch: pytest.MonkeyPatch, **given: str) -> Any:
        for name, value in given.items():
            monkeypatch.setenv(f"GROUNDWORK_OIDC_{name}", value)
        return institution.from_environment()

    def test_the_four_are_enough(self, monkeypatch):
        found = self.read(monkeypatch, **ALL)
        assert found.issuer == "https://sso.example.edu/realms/main"
        assert found.domains == {"example.edu", "cs.example.edu"}

    @pytest.mark.parametrize("lacking", ALL)
    def test_some_without_the_others_stop_the_start(self, monkeypatch, lacking):
        given = {name: value for name, value in ALL.items() if name != lacking}
        with pytest.raises(env.SettingError, match=f"^GROUNDWORK_OIDC_{lacking} is not set"):
            self.read(monkeypatch, **given)

    @pytest.mark.parametrize(
        ("wrong", "named"),
        [
            ({"ISSUER": "http://sso.example.edu"}, "ISSUER"),
            ({"ISSUER": "sso.example.edu"}, "ISSUER"),
            ({"DOMAINS": "*"}, "DOMAINS"),
            ({"DOMAINS": "mara@example.edu"}, "DOMAINS"),
            ({"ROLE_CLAIM": "groups"}, "ROLE_CLAIM"),
            ({"SITE_ADMIN_VALUES": "it"}, "ROLE_CLAIM"),
            ({"CREATE_ACCOUNTS": "perhaps"}, "CREATE_ACCOUNTS"),
        ],
    )
    def test_a_wrong_one_is_named(self, monkeypatch, wrong, named):
        with pytest.raises(env.SettingError, match=f"^GROUNDWORK_OIDC_{named} "):
            self.read(monkeypatch, **{**ALL, **wrong})


@pytest.mark.parametrize(
    "line",
    [
        "GET /account/institution/callback/?code=s3cret&state=s3cret&session_state=1",
        "next=%2Faccount%2Finstitution%2Fcallback%2F%3Fcode%3Ds3cret%26state%3Ds3cret",
    ],
)
def test_no_log_holds_what_the_provider_sends_a_browser_back_with(line):
    assert "s3cret" not in redacted(line)


class TestMail:
    @pytest.fixture(autouse=True)
    def _nothing_set(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("EMAIL_HOST", "GROUNDWORK_HOSTS", *mail.NAMES):
            monkeypatch.delenv(name, raising=False)

    def read(self, monkeypatch: pytest.MonkeyPatch, **given: str) -> mail.Mail:
        for name, value in given.items():
            monkeypatch.setenv(f"EMAIL_{name}", value)
        return mail.from_environment()

    def test_nothing_is_sent_without_a_host(self, monkeypatch):
        assert self.read(monkeypatch).host == ""

    @pytest.mark.parametrize(("tls", "port"), [("none", 25), ("starttls", 587), ("tls", 465)])
    def test_the_port_is_the_usual_one_of_the_way_of_encrypting(self, monkeypatch, tls, port):
        assert self.read(monkeypatch, HOST="mail.example.edu", TLS=tls).port == port

    def test_the_sender_is_of_the_first_host(self, monkeypatch):
        monkeypatch.setenv("GROUNDWORK_HOSTS", ".example.edu,other.example")
        assert self.read(monkeypatch, HOST="mail.example.edu").sender == "groundwork@example.edu"

    @pytest.mark.parametrize(
        ("wrong", "named"),
        [
            ({"PORT": "25"}, "EMAIL_HOST"),
            ({"HOST": "m", "USER": "u", "TLS": "tls"}, "EMAIL_PASSWORD"),
            ({"HOST": "m", "PASSWORD": "p", "TLS": "tls"}, "EMAIL_USER"),
            ({"HOST": "m", "USER": "u", "PASSWORD": "p"}, "EMAIL_TLS"),
            ({"HOST": "m", "TLS": "ssl3"}, "EMAIL_TLS"),
            ({"HOST": "m", "TIMEOUT": "soon"}, "EMAIL_TIMEOUT"),
            ({"HOST": "m", "PORT": "0"}, "EMAIL_PORT"),
        ],
    )
    def test_a_wrong_one_is_named(self, monkeypatch, wrong, named):
        with pytest.raises(env.SettingError, match=f"^{named} is "):
            self.read(monkeypatch, **wrong)
