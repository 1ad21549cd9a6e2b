"""The acts of users."""
