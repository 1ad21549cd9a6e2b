"""An application for tests alone: jobs that take as long as they are told, in any queue."""
