"""Agreement of raters who put options in order, and the strengths of the options."""
