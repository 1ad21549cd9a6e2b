"""Cases of adjudication for each newer kind of question."""
