"""How English pages write dates."""

DATE_FORMAT = "j F Y"
