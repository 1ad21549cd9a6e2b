"""Rules of jobs: the queue of each, and how much time is left."""
