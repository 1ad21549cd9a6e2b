"""Agreement of raters who put options in order, and what the options are worth."""
