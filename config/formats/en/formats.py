"""How English pages write dates."""

DATE_FORMAT = "j F Y"
DAY_FORMAT = "j M Y"
DAY_OF_YEAR_FORMAT = "j M"
MOMENT_FORMAT = "j M Y, H:i T"
MOMENT_OF_YEAR_FORMAT = "j M, H:i T"
MOMENT_SECONDS_FORMAT = "j M Y, H:i:s T"
SECONDS_FORMAT = "j M Y, H:i:s"
