"""Limits of the length of texts and the size of numbers, for forms, API, study definitions and files."""

from __future__ import annotations

from typing import Final

# Characters.
LONGEST_CONTACT: Final = 200
LONGEST_EXAMPLE_ANSWER: Final = 200
LONGEST_EXAMPLE_REASON: Final = 1000
# Of the reference value of a calibration item, as entered and as stored: the marked errors of a long text.
LONGEST_REFERENCE: Final = 20_000
LONGEST_REFERENCE_REASON: Final = 2000
LONGEST_TITLE: Final = 200
LONGEST_LANGUAGE_CODE: Final = 12
LONGEST_WARNING: Final = 5000
# What raters and members write: answers, remarks, comments, reasons.
LONGEST_REMARK: Final = 10_000
LONGEST_PROBLEM: Final = 2000
MOST_PROBLEMS_PER_PAGE: Final = 10
# What a study shows: its description, consent form, instructions and background pages.
LONGEST_TEXT: Final = 20_000
LONGEST_ITEM_TEXT: Final = 100_000
# Of a media file: its description, its transcript.
LONGEST_MEDIA_WORDS: Final = 20_000
# Of a media file on another server.
LONGEST_MEDIA_ADDRESS: Final = 500
# Of a study, and of an archive.
MOST_MEDIA_FILES: Final = 20_000
# Why a member decides something, for the audit log.
LONGEST_REASON: Final = 500
# Of an invitation link.
LONGEST_LINK_LABEL: Final = 120
LONGEST_LINK_CODE: Final = 60
# Of a message to raters.
LONGEST_MESSAGE_SUBJECT: Final = 150
LONGEST_MESSAGE: Final = 5000
MOST_RATERS_WRITTEN_TO: Final = 10_000
# Of a payment.
LONGEST_PAYMENT_REFERENCE: Final = 120
LONGEST_PAYMENT_NOTE: Final = 200
LONGEST_RETURN_ADDRESS: Final = 500
LONGEST_PARAMETER: Final = 60
# The JSON that assigns the columns of a file.
LONGEST_MAPPING: Final = 100_000

# Ratings per item, when a study is set up; and when ratings are added to single items later.
MOST_PLANNED_RATINGS_PER_ITEM: Final = 100
MOST_RATINGS_PER_ITEM: Final = 1000
MOST_ITEMS_PER_RATER: Final = 100_000
MOST_ITEMS_CHOSEN: Final = 100_000
# For a longer list of item IDs, a group is better.
MOST_ITEMS_NAMED: Final = 10_000
MOST_PAGES_PER_BATCH: Final = 10_000
MOST_BATCHES_PER_RATER: Final = 10_000
MOST_ITEMS_BETWEEN_CHECKS: Final = 10_000
MOST_CHECK_JITTER: Final = 5000
FEWEST_PAGES_BEFORE_BREAK: Final = 2
MOST_PAGES_BEFORE_BREAK: Final = 10_000
MOST_RATERS_EXPECTED: Final = 100_000
MOST_COMPARISONS: Final = 100_000
MOST_FAILED_CHECKS: Final = 1000
MOST_RATERS_PER_LINK: Final = 1_000_000
MOST_PERSONAL_LINKS: Final = 1_000
MOST_SHARE_LINKS: Final = 100
LONGEST_SHARE_DAYS: Final = 365
MOST_TOLERANCE: Final = 10_000
# Of the numbers in exclusion rules.
MOST_THRESHOLD: Final = 1_000_000

# Time and money.
MOST_MINUTES: Final = 100_000
LONGEST_TOKEN_DAYS: Final = 366
LONGEST_PAGE_SECONDS: Final = 36_000
LONGEST_MINIMUM_PAGE_SECONDS: Final = 3600
# A hundred years.
LONGEST_RETENTION_DAYS: Final = 36_500
MOST_MONEY: Final = 100_000
MOST_BUDGET: Final = 1_000_000_000
MOST_PAY_PER_HOUR: Final = 10_000

# Of intervals by resampling.
MOST_REPLICATES: Final = 100_000
MOST_SEED: Final = 2**32 - 1

# Patterns of whole values, without the marks of begin and end.
CURRENCY: Final = r"[A-Z]{3}"
SHORT_NAME: Final = r"[-a-zA-Z0-9_]+"
LANGUAGE: Final = r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?"
