"""Intervals that hold for new raters as well: items and raters are resampled independently."""
