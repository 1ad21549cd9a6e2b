"""Email addresses in a line of text."""

from __future__ import annotations

import re

# What may be in an address without quotes (RFC 5322), in any script.
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]*\w")
_AROUND = re.compile(r"^\W+")


def names_address(text: str, address: str) -> bool:
    """Whether a text contains a whole address, in any case: `joann@x.org` does not contain `ann@x.org`."""
    return _is_address(text.strip(), address) or any(
        _is_address(found, address) for found in _ADDRESS.findall(text)
    )


def other_addresses(text: str, address: str) -> list[str]:
    """The other addresses that a text contains."""
    return [_AROUND.sub("", found) for found in _ADDRESS.findall(text) if not _is_address(found, address)]


def _is_address(found: str, address: str) -> bool:
    wanted = address.casefold()
    return wanted in {found.casefold(), _AROUND.sub("", found).casefold()}
