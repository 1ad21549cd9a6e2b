"""From where an address of the site can be reached, and so an invitation link be used."""

from __future__ import annotations

import ipaddress
from enum import StrEnum

PRIVATE_ENDINGS = (".local", ".lan", ".internal", ".localdomain", ".home.arpa")


class Reach(StrEnum):
    """From where a host can be reached, as far as its name or address shows."""

    MACHINE = "machine"
    NETWORK = "network"
    ANYWHERE = "anywhere"


def reach_of(host: str) -> Reach:
    """From where a host name, or an address without a port, can be reached.

    Names without a dot and those of private domains are known in their own network only.
    """
    host = host.strip("[]").lower()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _reach_of_name(host)
    if address.is_loopback:
        return Reach.MACHINE
    return Reach.NETWORK if address.is_private else Reach.ANYWHERE


def _reach_of_name(name: str) -> Reach:
    if name == "localhost" or name.endswith(".localhost"):
        return Reach.MACHINE
    return Reach.NETWORK if "." not in name or name.endswith(PRIVATE_ENDINGS) else Reach.ANYWHERE
