"""Requests counted and timed in each web process, for Prometheus.

Processes write into files of one folder, from which any of them answers for all. The folder belongs to this
machine; a server that starts where none is running begins at 0, which Prometheus takes for what it is.
"""

from __future__ import annotations

import fcntl
import os
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

Handler = Callable[[HttpRequest], HttpResponseBase]
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
# Read by prometheus_client when it is imported.
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
OF_PROCESS = re.compile(r"_(\d+)\.db$")


def measured(get_response: Handler) -> Handler:
    """Count and time requests; not used without a token, which is needed to read the metrics."""
    if not settings.METRICS_TOKEN:
        raise MiddlewareNotUsed
    prepare_folder()
    from prometheus_client import Counter, Histogram

    requests = Counter(
        "groundwork_http_requests", "Requests answered.", ["view", "method", "status"], registry=None
    )
    seconds = Histogram(
        "groundwork_http_request_duration_seconds",
        "How long requests took.",
        ["view", "method"],
        buckets=BUCKETS,
        registry=None,
    )

    def answered(request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        response = get_response(request)
        match = request.resolver_match
        view = match.view_name if match else "none"
        method = request.method if request.method in METHODS else "other"
        requests.labels(view, method, str(response.status_code)).inc()
        seconds.labels(view, method).observe(time.perf_counter() - begun)
        return response

    return answered


def prepare_folder() -> None:
    """Name the folder for prometheus_client, and empty it where no process that writes there is alive."""
    folder = Path(
        os.environ.setdefault(FOLDER_VARIABLE, str(Path(settings.VAR_DIR) / "metrics" / socket.gethostname()))
    )
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        files = {
            path: int(found[1]) for path in folder.glob("*.db") if (found := OF_PROCESS.search(path.name))
        }
        if not any(_is_alive(pid) for pid in set(files.values())):
            for path in files:
                path.unlink(missing_ok=True)


def of_all_processes() -> CollectorRegistry:
    """What the web processes of this machine have counted."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=os.environ[FOLDER_VARIABLE])  # type: ignore[no-untyped-call]
    return registry


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
