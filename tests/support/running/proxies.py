"""The proxies of `docker/proxies`, as they are but for ports, certificate and places of logs."""

from __future__ import annotations

import contextlib
import os
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.installation import ROOT
from tests.support.ports import answers, free_port
from tests.support.running.production import HOST, wait_until

EXAMPLES = ROOT / "docker" / "proxies"
NGINX = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/start.log;
events {{ }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/groundwork.conf;
}}
"""


@dataclass(frozen=True)
class Proxy:
    """A running proxy: its ports, the certificates its visitors trust, and its folder with all it logged."""

    port: int
    plain_port: int
    tls: ssl.SSLContext
    folder: Path

    def logged(self) -> str:
        return "".join(path.read_text() for path in self.folder.glob("*.log"))


def is_installed(name: str) -> bool:
    return shutil.which(name) is not None


@contextlib.contextmanager
def in_front(name: str, upstream: int, folder: Path) -> Iterator[Proxy]:
    """Start `nginx` or `caddy` in front of a port of this machine."""
    folder.mkdir()
    proxy = Proxy(free_port(), free_port(), _certificate(folder), folder)
    command = STARTS[name](proxy, upstream)
    surroundings = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "printed.log").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=surroundings)
    try:
        wait_until(lambda: answers(proxy.port) or process.poll() is not None)
        assert process.poll() is None, proxy.logged()
        yield proxy
    finally:
        process.terminate()
        process.wait(timeout=20)


def _nginx(proxy: Proxy, upstream: int) -> list[str]:
    folder = proxy.folder
    example = _changed(
        EXAMPLES / "nginx.conf",
        {
            "server 127.0.0.1:8000;": f"server 127.0.0.1:{upstream};",
            "listen 80;": f"listen 127.0.0.1:{proxy.plain_port};",
            "listen 80 default_server;": f"listen 127.0.0.1:{proxy.plain_port} default_server;",
            "listen 443 ssl": f"listen 127.0.0.1:{proxy.port} ssl",
            f"/etc/letsencrypt/live/{HOST}/fullchain.pem": f"{folder}/certificate.pem",
            f"/etc/letsencrypt/live/{HOST}/privkey.pem": f"{folder}/key.pem",
            "/var/log/nginx/": f"{folder}/",
        },
    )
    (folder / "groundwork.conf").write_text(example)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user))
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(proxy: Proxy, upstream: int) -> list[str]:
    folder = proxy.folder
    example = _changed(
        EXAMPLES / "Caddyfile",
        {
            "\n{\n": f"\n{{\n\tadmin off\n\thttp_port {proxy.plain_port}\n",
            f"\n{HOST} {{": (
                f"\n{HOST}:{proxy.port} {{\n\tbind 127.0.0.1\n\ttls {folder}/certificate.pem {folder}/key.pem"
            ),
            "127.0.0.1:8000": f"127.0.0.1:{upstream}",
        },
    )
    (folder / "Caddyfile").write_text(example)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


STARTS: dict[str, Callable[[Proxy, int], list[str]]] = {"nginx": _nginx, "caddy": _caddy}


def _changed(path: Path, changes: dict[str, str]) -> str:
    """The example with each of the changes, none of which may be missing in it."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, f"{path.name} has no {old!r}"
        text = text.replace(old, new)
    return text


def _certificate(folder: Path) -> ssl.SSLContext:
    """A certificate for the host, and the context of a visitor who trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    form, unlocked = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(pem, form, unlocked))
    return ssl.create_default_context(cafile=str(folder / "certificate.pem"))
