"""An application for tests alone: jobs that take as long as requested, in any queue."""
