"""Charts for papers in SVG, PDF and PNG."""
