"""A small OpenID Connect provider: discovery, a page to sign in, signed ID tokens, user information."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.support.ports import listening

CLIENT_ID, CLIENT_SECRET = "groundwork-at-test", "a secret between the two"
WELL_KNOWN = "/.well-known/openid-configuration"
KID = "first"


@cache
def key(name: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class Given:
    """What a code was issued for."""

    subject: str
    redirect_uri: str
    challenge: str
    nonce: str


@dataclass
class Provider:
    """People by subject, with their claims. `fault` names one thing that it does wrongly."""

    people: dict[str, dict[str, Any]] = field(default_factory=dict)
    fault: str = ""
    codes: dict[str, Given] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    port: int = 0

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        """The environment of an installation that uses it."""
        return {
            "GROUNDWORK_OIDC_ISSUER": self.issuer,
            "GROUNDWORK_OIDC_CLIENT_ID": CLIENT_ID,
            "GROUNDWORK_OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "GROUNDWORK_OIDC_DOMAINS": "example.edu",
        }

    def discovery(self) -> dict[str, Any]:
        issuer = "https://elsewhere.example" if self.fault == "discovery_issuer" else self.issuer
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def keys(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(key(KID).public_key(), as_dict=True)
        return {"keys": [{**public, "kid": KID, "use": "sig", "alg": "RS256"}]}

    def code_for(self, asked: dict[str, str], subject: str) -> str:
        """Where a browser goes after its user has signed in here."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = Given(
            subject, asked["redirect_uri"], asked["code_challenge"], asked.get("nonce", "")
        )
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, asked: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        given = self.codes.pop(asked.get("code", ""), None)
        expected = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if authorization != f"Basic {expected}":
            return 401, {"error": "invalid_client"}
        digest = hashlib.sha256(asked.get("code_verifier", "").encode()).digest()
        verified = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if given is None or given.redirect_uri != asked.get("redirect_uri") or given.challenge != verified:
            return 400, {"error": "invalid_grant"}
        access = secrets.token_urlsafe(24)
        self.tokens[access] = given.subject
        return 200, {"access_token": access, "token_type": "Bearer", "id_token": self.id_token(given)}

    def id_token(self, given: Given) -> str:
        now = int(time.time())
        claims = {
            "iss": "https://elsewhere.example" if self.fault == "issuer" else self.issuer,
            "aud": "another client" if self.fault == "audience" else CLIENT_ID,
            "sub": given.subject,
            "iat": now - 7200 if self.fault == "expired" else now,
            "exp": now - 3600 if self.fault == "expired" else now + 300,
            "nonce": "another" if self.fault == "nonce" else given.nonce,
        }
        if self.fault == "unsigned":
            return jwt.encode(claims, "", algorithm="none")
        if self.fault == "shared_secret":
            return jwt.encode(claims, CLIENT_SECRET * 2, algorithm="HS256", headers={"kid": KID})
        signing = key("of somebody else" if self.fault == "signature" else KID)
        return jwt.encode(claims, signing, algorithm="RS256", headers={"kid": KID})

    def userinfo(self, authorization: str) -> tuple[int, dict[str, Any]]:
        subject = self.tokens.get(authorization.removeprefix("Bearer "))
        if subject is None:
            return 401, {"error": "invalid_token"}
        stated = "somebody else" if self.fault == "userinfo" else subject
        return 200, {"sub": stated, **self.people[subject]}


def person(email: str, **claims: Any) -> dict[str, Any]:
    return {"email": email, "email_verified": True, "name": "Mara Osei", **claims}


class Server(ThreadingHTTPServer):
    provider: Provider


class Answers(BaseHTTPRequestHandler):
    server: Server

    @property
    def provider(self) -> Provider:
        return self.server.provider

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if self.provider.fault == "away":
            self._send(503, "text/plain", "Closed for the night.")
        elif self.provider.fault == "nonsense":
            self._send(200, "text/html", "<p>Welcome to our new web site!</p>")
        elif address.path == WELL_KNOWN:
            self._send_json(200, self.provider.discovery())
        elif address.path == "/keys":
            self._send_json(200, self.provider.keys())
        elif address.path == "/userinfo":
            self._send_json(*self.provider.userinfo(self.headers.get("Authorization", "")))
        elif address.path == "/authorize":
            self._page(_first(address.query))
        else:
            self._send(404, "text/plain", "Not here.")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        asked = _first(body)
        if self.path == "/token":
            if self.provider.fault == "token":
                self._send(500, "text/plain", "Out of order.")
                return
            self._send_json(*self.provider.token(asked, self.headers.get("Authorization", "")))
            return
        self.send_response(302)
        if asked.get("answer") == "deny":
            query = urlencode({"error": "access_denied", "state": asked["state"]})
            self.send_header("Location", f"{asked['redirect_uri']}?{query}")
        else:
            self.send_header("Location", self.provider.code_for(asked, asked["subject"]))
        self.end_headers()

    def _page(self, asked: dict[str, str]) -> None:
        wrong = (
            asked.get("client_id") != CLIENT_ID
            or asked.get("response_type") != "code"
            or asked.get("code_challenge_method") != "S256"
            or "openid" not in asked.get("scope", "").split()
        )
        if wrong:
            self._send(400, "text/plain", "This request is not one of OpenID Connect.")
            return
        hidden = "".join(
            f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
            for name, value in asked.items()
        )
        people = "".join(
            f'<option value="{html.escape(one)}">{html.escape(one)}</option>' for one in self.provider.people
        )
        page = (
            '<link rel="icon" href="data:,"><h1>University</h1>'
            f'<form method="post" action="/authorize">{hidden}'
            f'<select name="subject" aria-label="You">{people}</select>'
            '<button name="answer" value="allow">Continue</button>'
            '<button name="answer" value="deny">Cancel</button></form>'
        )
        self._send(200, "text/html; charset=utf-8", page)

    def _send_json(self, status: int, content: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(content))

    def _send(self, status: int, kind: str, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Nothing: the output is that of the tests."""


@contextmanager
def running(**people: dict[str, Any]) -> Iterator[Provider]:
    """A provider that listens on a free port of this machine."""
    provider = Provider(people=people)
    server = Server(("127.0.0.1", 0), Answers)
    server.provider = provider
    provider.port = server.server_port
    with listening(server):
        yield provider


def _first(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
