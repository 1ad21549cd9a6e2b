"""Run the web server and the worker as children of one command."""
