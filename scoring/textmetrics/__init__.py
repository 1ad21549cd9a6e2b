"""The metrics that ratings of texts are usually compared with, each on one item at a time."""
