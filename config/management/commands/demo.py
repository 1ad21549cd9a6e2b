"""`groundwork demo`: the web server and a worker with a demo study."""

from __future__ import annotations

import argparse

from config.management.commands import serve


class Command(serve.Command):
    """`serve --demo` as one command."""

    help = "Start the web server and workers with a demo study and accounts for it; Ctrl-C stops all."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        self.add_server_arguments(parser)
        parser.set_defaults(demo=True)
