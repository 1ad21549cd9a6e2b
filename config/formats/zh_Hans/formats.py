"""How pages in Chinese write dates and numbers."""

DATE_FORMAT = "Y年n月j日"
DAY_FORMAT = "Y年n月j日"
DAY_OF_YEAR_FORMAT = "n月j日"
MOMENT_FORMAT = "Y年n月j日 H:i T"
MOMENT_OF_YEAR_FORMAT = "n月j日 H:i T"
MOMENT_SECONDS_FORMAT = "Y年n月j日 H:i:s T"
SECONDS_FORMAT = "Y年n月j日 H:i:s"
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
