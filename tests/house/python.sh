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
if $python -c 'import numpy' 2>/dev/null; then
    timeout 150 $python "$1/tests/house/python_research.py"
    timeout 150 $python "$1/tests/house/python_threads.py"
    KNACK_FUZZ_LOG=calls timeout 150 $python "$1/tests/house/python_fuzz.py" || { echo "exit $?; the last call was"; tail -1 calls; exit 1; }
fi
timeout 100 $python "$1/examples/notebook.py" >notebook.out || { cat notebook.out; exit 1; }
grep -q '^as expected: .*did you mean othello' notebook.out || { echo "the notebook says:"; cat notebook.out; exit 1; }

# The other notebooks, with few games: they run, and draw their figures where matplotlib is there.
short() { sed -E 's/games=[0-9]{2,}/games=4/g; s/\(100, 500, 1000, 2000\)/(4, 8)/; s/playouts=[0-9]{2,}/playouts=5/g' "$source/examples/$1" >"$1"; }
source=$1
if $python -c 'import numpy' 2>/dev/null; then
    figure() { if $python -c 'import matplotlib' 2>/dev/null; then echo "$1"; fi; }
    for name in compare.py small_study.py ntuple_own_game.py; do
        short $name
        own=
        if [ $name = ntuple_own_game.py ]; then own=$plugin; [ -n "$plugin" ] || continue; fi
        timeout 150 $python $name $own $(figure $name.svg) >out 2>&1 || { echo "$name:"; cat out; exit 1; }
        grep -q '[0-9]' out || { echo "$name says nothing"; exit 1; }
        [ -z "$(figure x)" ] || grep -q '</svg>' $name.svg || { echo "$name draws nothing"; exit 1; }
    done
fi

# A wheel carries the library: installed in a folder of its own it needs no setting, and its list of files is true.
$python "$source/python/backend.py" "$2/libknack.so.0" . >/dev/null
$python - <<'END'
import base64, csv, glob, hashlib, zipfile
with zipfile.ZipFile(glob.glob("knack-*.whl")[0]) as wheel:
    record = [name for name in wheel.namelist() if name.endswith("RECORD")][0]
    for name, digest, size in csv.reader(wheel.read(record).decode().splitlines()):
        data = wheel.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert name == record or (digest == "sha256=" + found and int(size) == len(data)), name
    wheel.extractall("site")
END
(unset KNACK_LIBRARY; cd site; PYTHONPATH=. $python -c '
import knack
assert knack.native.candidates()[0].endswith("site/knack/libknack.so.0"), knack.native.candidates()
with knack.open("data") as k: assert k.match("tictactoe", "random", "random", games=4, store=False)["result"]["games"] == 4') || { echo "the wheel does not work"; exit 1; }

# A library that is not there, and one that is another.
if KNACK_LIBRARY=./nowhere.so $python -c 'import knack' 2>said; then echo "a missing library was imported"; exit 1; fi
grep -q 'libknack cannot be used' said || { cat said; exit 1; }
