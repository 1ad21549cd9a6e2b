"""Run the program from a bundle's folder, from elsewhere, or as part of a package."""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The folder of a bundle keeps the files that SHA256SUMS lists, and no compiled ones.
sys.dont_write_bytecode = True
if not __package__:
    others = (place for place in sys.path if Path(place).resolve() != HERE)
    sys.path[:] = [str(HERE.parent), *others]
sys.exit(import_module(".command", __package__ or HERE.name).main(sys.argv[1:]))
