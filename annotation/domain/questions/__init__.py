"""Questions that raters answer."""
