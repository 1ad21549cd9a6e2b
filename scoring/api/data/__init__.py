"""Reports as the API gives them."""
