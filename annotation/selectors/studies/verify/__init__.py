"""Whether everything that is stored fits together; nothing is changed."""
