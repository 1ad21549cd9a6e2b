"""Models that rate: a chat endpoint, and local transformers read by the probabilities of scale points."""
