"""Names for entries of the audit log."""
