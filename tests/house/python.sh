#!/bin/sh
# python.sh SOURCE BUILD: the Python module over the shared library, fact by fact (python_module.py), and the notebook.
set -eu
command -v python3 >/dev/null || { echo "skipped: python3 is not installed ('make test' installs it)"; exit 77; }
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || { echo "skipped: python3 is older than 3.8"; exit 77; }
# Batches want numpy, which Debian has for its own python3.
python=python3
if ! python3 -c 'import numpy' 2>/dev/null && /usr/bin/python3 -c 'import numpy' 2>/dev/null; then python=/usr/bin/python3; fi
export PYTHONPATH="$1/python" KNACK_LIBRARY="$2/libknack.so" PYTHONDONTWRITEBYTECODE=1
plugin=
if ${CC:-cc} -std=gnu17 -shared -fPIC -I"$1/include" "$1/examples/plugins/drop.c" -o drop.so; then plugin=./drop.so; fi
timeout 100 $python "$1/tests/house/python_module.py" $plugin
if $python -c 'import numpy' 2>/dev/null; then timeout 150 $python "$1/tests/house/python_research.py"; fi
timeout 100 $python "$1/examples/notebook.py" >notebook.out || { cat notebook.out; exit 1; }
grep -q '^as expected: .*did you mean othello' notebook.out || { echo "the notebook says:"; cat notebook.out; exit 1; }

# A library that is not there, and one that is another.
if KNACK_LIBRARY=./nowhere.so $python -c 'import knack' 2>said; then echo "a missing library was imported"; exit 1; fi
grep -q 'libknack cannot be used' said || { cat said; exit 1; }
