#!/usr/bin/env python
"""Run a Groundwork command: `python manage.py help` lists them by purpose."""

from config.manage import main

if __name__ == "__main__":
    main()
