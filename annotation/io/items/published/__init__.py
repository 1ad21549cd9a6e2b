"""Files as other projects publish them."""
