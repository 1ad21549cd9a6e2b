"""Pages of questions whose answers are typed in a field."""
