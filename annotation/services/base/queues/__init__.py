"""Turns of jobs in a queue, and supervision of workers and running jobs."""
