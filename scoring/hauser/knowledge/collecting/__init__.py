"""A knowledge base from published similes: files of triples, of marked sentences and of candidates."""
