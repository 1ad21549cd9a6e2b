"""A walk over every page that a rater may see, for looking at them and for checking them."""
