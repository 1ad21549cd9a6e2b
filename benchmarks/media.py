"""2,000 pictures and 20 MB of recordings from the web server: files a second, and the memory that it takes.

    python -m benchmarks.media [--pictures 2000] [--recordings 5] [--megabytes 4]

Once from a folder, once from a server that speaks S3 and that the benchmark starts. Every file is loaded by a
member with four connections, recordings in ranges of 1 MB as well. Memory is the resident memory of all web
processes beyond what they held after the first requests.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import time
import wave
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image

from tests.support.installation import Installation, Server, command_line, descendants
from tests.support.outside.object_store import running, settings_of

CONNECTIONS, WARM_UP, RANGE = 4, 50, 1 << 20
MOST_GROWTH = 40
SIZE = (640, 420)
SET_UP = """
from pathlib import Path
from django.contrib.auth import SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY
from django.conf import settings
from importlib import import_module
from annotation.models import User
from annotation.services.items.media.local_files import import_media
from annotation.services.studies.lifecycle import create_study
owner = User.objects.create_user("media@example.org", "simile-and-metaphor-42")
study = create_study(slug="media", title="Media", owner=owner)
import_media(study=study, paths=[Path({folder!r})])
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY] = str(owner.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = owner.get_session_auth_hash()
session.save()
print(settings.SESSION_COOKIE_NAME + "=" + session.session_key)
for pk, kind, size in study.media_files.values_list("pk", "kind", "size"):
    print(pk, kind, size)
"""


@dataclass(frozen=True)
class Stored:
    """A stored file: its address, its kind and its size in bytes."""

    address: str
    kind: str
    size: int


def main() -> int:
    """Measure both storages; 1 if the web processes grew."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--recordings", type=int, default=5)
    parser.add_argument("--megabytes", type=int, default=4, help="of each recording (default: 4)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder / "files", asked.pictures, asked.recordings, asked.megabytes)
        grown = [measure(folder, where) for where in ("folder", "bucket")]
    return 0 if max(grown) < MOST_GROWTH else 1


def make_files(folder: Path, pictures: int, recordings: int, megabytes: int) -> None:
    """Write pictures, each with a colour of its own, and recordings."""
    folder.mkdir()
    noise = Image.effect_noise((SIZE[0] // 2, SIZE[1] // 2), 60)
    for number in range(pictures):
        drawn = Image.new("RGB", SIZE, (number % 256, number // 256, 120))
        drawn.paste(noise, (SIZE[0] // 4, SIZE[1] // 4))
        drawn.save(folder / f"p{number}.jpg", quality=80)
    for number in range(recordings):
        written = io.BytesIO()
        with wave.open(written, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(16_000)
            file.writeframes(number.to_bytes(2, "little") * (megabytes << 19))
        (folder / f"s{number}.wav").write_bytes(written.getvalue())


def measure(folder: Path, where: str) -> float:
    """Load every file once, and print how fast and with how much memory; gives the growth in MB."""
    with stored_in(where, folder / f"{where}-objects") as settings:
        installation = Installation(folder / where, settings)
        with installation.serve("--bind", "127.0.0.1:0") as server:
            cookie, *lines = installation.run_script(SET_UP.format(folder=str(folder / "files"))).splitlines()
            files = [_stored(line) for line in lines]
            installation.close()
            return _loaded(server, cookie, files, where)


def _loaded(server: Server, cookie: str, files: Sequence[Stored], where: str) -> float:
    load(server.url, cookie, files[:WARM_UP])
    before, begun = resident(server), time.monotonic()
    total = load(server.url, cookie, files)
    seconds, grown = time.monotonic() - begun, resident(server) - before
    print(
        f"{where}: {len(files)} files, {total / 1e6:.0f} MB in {seconds:.1f} s "
        f"({len(files) / seconds:.0f} a second); web processes {before:.0f} MB, {grown:+.0f} MB"
    )
    return grown


@contextmanager
def stored_in(where: str, root: Path) -> Iterator[dict[str, str]]:
    """The settings for a folder, or for a bucket of a server that runs meanwhile."""
    with ExitStack() as opened:
        yield settings_of(opened.enter_context(running(root)).address) if where == "bucket" else {}


def load(url: str, cookie: str, files: Sequence[Stored]) -> int:
    """Load files over a few connections; gives the number of bytes."""
    parts = [files[place::CONNECTIONS] for place in range(CONNECTIONS)]
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        return sum(pool.map(lambda part: _load_part(url, cookie, part), parts))


def _load_part(url: str, cookie: str, files: Sequence[Stored]) -> int:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
    total = 0
    for file in files:
        ranges = range(0, file.size, RANGE) if file.kind == "audio" else ()
        for headers in ({}, *({"Range": f"bytes={first}-{first + RANGE - 1}"} for first in ranges)):
            connection.request("GET", file.address, headers={"Cookie": cookie, **headers})
            answer = connection.getresponse()
            if answer.status not in {200, 206}:
                raise RuntimeError(f"{file.address}: {answer.status}")
            while piece := answer.read(64 * 1024):
                total += len(piece)
    return total


def resident(server: Server) -> float:
    """The resident memory of the web processes, in MB."""
    web = [pid for pid in descendants(server.process.pid) if "celery" not in command_line(pid)]
    return sum(_resident_kb(pid) for pid in web) / 1024


def _resident_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def _stored(line: str) -> Stored:
    pk, kind, size = line.split()
    return Stored(f"/studies/media/settings/media/{pk}/", kind, int(size))


if __name__ == "__main__":
    sys.exit(main())
