"""`manage.py bundles`: bundle the scripts and style sheets of the rating page."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.templatetags.rating_files import (
    BUNDLES,
    digest_of_sources,
    entries,
    static_folder,
    style_sheets,
)

ESBUILD = "esbuild@0.28.2"
OPTIONS = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning"]
FIRST_LINE = "/* Made by `make bundles` from files in js/ and css/: change those. {digest} */\n"
WITHOUT_NODE = (
    "Install Node.js: `npx` runs esbuild, which creates the bundles. Until then, pages link the sources."
)


class Command(BaseCommand):
    help = "Bundle the rating page's scripts and style sheets with esbuild, which needs Node.js."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        if not (npx := shutil.which("npx")):
            raise CommandError(f"{WITHOUT_NODE} [no_node]", returncode=2)
        for bundle in BUNDLES:
            file = static_folder() / bundle
            file.parent.mkdir(exist_ok=True)
            first_line = FIRST_LINE.format(digest=digest_of_sources(bundle))
            file.write_text(first_line + bundled(npx, bundle), encoding="utf-8")
            self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")


def bundled(npx: str, bundle: str) -> str:
    """The output of esbuild for an entry that imports the sources of a bundle."""
    if bundle.endswith(".css"):
        loader, source = "css", "".join(f'@import "./{name}";\n' for name in style_sheets(bundle))
    else:
        loader, source = "js", "".join(f'import "./{name}";\n' for name in entries(bundle))
    command = [npx, "--yes", ESBUILD, *OPTIONS, f"--loader={loader}"]
    made = subprocess.run(  # noqa: S603 - our own fixed command
        command, input=source, cwd=static_folder(), capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise CommandError(f"esbuild failed to create the bundle: {made.stderr.strip()} [bundle_failed]")
    return made.stdout
