"""What a rater has, an item or an answer, and until when."""
