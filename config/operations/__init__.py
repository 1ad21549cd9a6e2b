"""How an installation is watched: presence of workers, logs, measurements, reports of faults."""
