"""Which address the server takes."""

from __future__ import annotations

import socket

import pytest

from annotation.serving.bind_address import Address, AddressError, listen, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1:8000", ("127.0.0.1", 8000)), ("[::1]:80", ("::1", 80)), ("localhost:0", ("localhost", 0))],
)
def test_it_reads_host_and_port(text: str, address: tuple[str, int]):
    assert parse_address(text) == address


def test_it_takes_another_port_when_no_port_was_asked_for():
    with socket.create_server(("127.0.0.1", 0)) as holder:
        busy = holder.getsockname()[1]
        listener, address = listen(Address("127.0.0.1", busy, explicit=False))
        with listener:
            assert address.port != busy
            assert listener.getsockname() == ("127.0.0.1", address.port)


def test_two_servers_never_share_an_address():
    first, address = listen(Address("127.0.0.1", 0))
    with first, pytest.raises(AddressError, match=f"Port {address.port} on 127.0.0.1 is in use"):
        listen(Address("127.0.0.1", address.port))


def test_a_server_on_all_interfaces_is_named_by_the_local_one():
    assert Address("0.0.0.0", 8000).url("/join/x/") == "http://127.0.0.1:8000/join/x/"
    assert Address("::", 8000).url() == "http://[::1]:8000/"
