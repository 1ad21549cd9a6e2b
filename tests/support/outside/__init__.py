"""Services that an installation talks to or that people use together with it, as the tests start them."""
