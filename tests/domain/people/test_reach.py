"""An address that raters elsewhere cannot open is known as such; none that they can open is called so."""

from __future__ import annotations

import pytest

from annotation.domain.people.reach import Reach, reach_of


@pytest.mark.parametrize(
    ("host", "reach"),
    [
        ("127.0.0.1", Reach.MACHINE),
        ("::1", Reach.MACHINE),
        ("localhost", Reach.MACHINE),
        ("demo.localhost", Reach.MACHINE),
        ("192.168.1.4", Reach.NETWORK),
        ("10.0.0.9", Reach.NETWORK),
        ("fd00::4", Reach.NETWORK),
        ("labserver", Reach.NETWORK),
        ("LAB.local", Reach.NETWORK),
        ("8.8.8.8", Reach.ANYWHERE),
        ("ratings.example.org", Reach.ANYWHERE),
        ("localhost.example", Reach.ANYWHERE),
    ],
)
def test_a_host_says_from_where_it_can_be_reached(host: str, reach: Reach) -> None:
    assert reach_of(host) is reach
