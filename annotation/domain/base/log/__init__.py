"""What entries of the audit log say."""
