"""Nothing on a rating page moves, through whole sittings."""
