"""Services that an installation talks to or that people use beside it, as the tests start them."""
