"""Django's SQLite with a queue before its write lock."""
