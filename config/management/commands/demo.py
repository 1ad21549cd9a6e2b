"""`groundwork demo`: the web server and a worker with a demo study."""

from __future__ import annotations

import argparse

from config.management.commands import serve


class Command(serve.Command):
    """`serve --demo` by one word."""

    help = "Start the web server and a worker with a demo study and log-ins for it; Ctrl-C stops both."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        self.add_server_arguments(parser)
        parser.set_defaults(demo=True)
