"""`manage.py serve`: the web server and a worker, prepared, started, watched and stopped together."""

from __future__ import annotations

import argparse
import http.client
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections

from annotation.serving.bind_address import Address, AddressError, listen, parse_address
from annotation.serving.startup_tasks import prepare
from annotation.serving.supervisor import STOP_SIGNALS, Child, Supervisor

if TYPE_CHECKING:
    from annotation.services.studies.demo import DemoAccess

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8000


class Command(BaseCommand):
    help = "Start the web server and a worker; Ctrl-C stops both. --demo makes a study to try things on."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="with a demo study and log-ins for it")
        parser.add_argument(
            "--bind",
            metavar="HOST:PORT",
            help=f"where to listen (default {DEFAULT_HOST}:{DEFAULT_PORT}, or the next free port)",
        )
        parser.add_argument("--workers", type=_positive, default=2, help="web processes (default 2)")
        parser.add_argument("--threads", type=_positive, default=4, help="threads each (default 4)")

    def handle(self, *args: Any, **options: Any) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.default_int_handler)
        try:
            listener, address = listen(_wanted(options["bind"]))
            self._say("Preparing the database and the static files …")
            prepare(Path(settings.VAR_DIR))
            demo_access = _ensure_demo() if options["demo"] else None
        except AddressError as error:
            raise CommandError(str(error), returncode=2) from error
        except OperationalError as error:
            raise CommandError(f"The database does not answer, check DATABASE_URL: {error}") from error
        except KeyboardInterrupt:
            self._say("Stopped before the server was started.")
            sys.exit(130)
        connections.close_all()
        children = [
            _web(listener.fileno(), workers=options["workers"], threads=options["threads"]),
            _worker(),
        ]
        supervisor = Supervisor(children, self._say)
        status = supervisor.run(when_started=lambda: self._announce_when_up(address, demo_access))
        self._say("Stopped.")
        sys.exit(status)

    def _announce_when_up(self, address: Address, demo_access: DemoAccess | None) -> bool:
        if not _answers(address):
            return False
        lines = [f"Groundwork is running at {address.url()}"]
        if not address.explicit and address.port != DEFAULT_PORT:
            lines.append(f"(port {DEFAULT_PORT} is in use, so this is port {address.port})")
        if demo_access:
            lines += [
                f"  researcher:  {demo_access.researcher_email}  password: {demo_access.password}",
                f"  admin:       {demo_access.admin_email}  password: {demo_access.password}",
                f"  owner:       {demo_access.owner_email}  password: {demo_access.password}",
                f"  rater:       {address.url(f'/join/{demo_access.invitation_token}/')}",
                f"  demo study:  {address.url(f'/studies/{demo_access.study_slug}/')}",
            ]
        lines += [f"  data and logs: {settings.VAR_DIR}", "Ctrl-C stops it."]
        self._say("\n".join(lines))
        return True

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _wanted(bind: str | None) -> Address:
    if bind is None:
        return Address(DEFAULT_HOST, DEFAULT_PORT, explicit=False)
    return Address(*parse_address(bind))


def _ensure_demo() -> DemoAccess:
    from annotation.services.studies.demo import ensure_demo, ensure_demo_scores

    access = ensure_demo()
    ensure_demo_scores()
    return access


def _web(descriptor: int, *, workers: int, threads: int) -> Child:
    logs = Path(settings.VAR_DIR) / "log"
    command = [sys.executable, "-m", "gunicorn", "config.wsgi:application"]
    command += ["--bind", f"fd://{descriptor}", "--preload", "--no-control-socket"]
    command += ["--worker-class", "gthread", "--workers", str(workers), "--threads", str(threads)]
    command += ["--access-logfile", str(logs / "access.log"), "--graceful-timeout", "3"]
    command += ["--logger-class", "annotation.serving.access_log.AccessLog"]
    return Child("web server", command, log=logs / "web.log", pass_fds=(descriptor,))


def _worker() -> Child:
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel", "INFO"]
    command += ["--pool", "prefork", "--concurrency", "1"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return Child("worker", command, log=Path(settings.VAR_DIR) / "log" / "worker.log")


def _answers(address: Address) -> bool:
    connection = http.client.HTTPConnection(address.reachable_host.strip("[]"), address.port, timeout=1)
    try:
        connection.request("GET", "/health/live")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
