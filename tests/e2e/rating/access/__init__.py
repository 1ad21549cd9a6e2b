"""That everyone can use raters’ pages: by ear, by keyboard, in large type and in colours of their own."""
