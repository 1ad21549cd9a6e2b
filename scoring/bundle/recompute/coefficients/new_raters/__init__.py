"""Intervals for new raters: items and raters are resampled independently (Owen 2007)."""
