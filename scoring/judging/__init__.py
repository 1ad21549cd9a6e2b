"""Automatic judges as plain Python: prompts, what may be read of an answer, cost, and the pace of calls."""
