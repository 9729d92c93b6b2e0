"""Builds the wheel: for pip (PEP 517, PEP 660) and for `make wheel`. The standard library is all it needs, so that
`pip install ./python` asks no network.

    python3 backend.py LIBRARY FOLDER      a wheel with this shared library inside

Same bytes for the same files: names are sorted, and times are fixed."""
import base64
import ctypes.util
import hashlib
import os
import re
import sys
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def _setting(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(rf'^{name} = "(.*)"', file.read(), re.M).group(1)


def _library():
    """The library that the wheel carries: $KNACK_LIBRARY, or the one that was built last beside this folder. None if the
    system has one and none was built."""
    built = [os.path.join(HERE, "..", folder, "libknack.so.0") for folder in ("build", "build-release/install")]
    built = sorted((path for path in built if os.path.exists(path)), key=os.path.getmtime)
    found = os.environ.get("KNACK_LIBRARY") or (built[-1] if built else None)
    if not found and not ctypes.util.find_library("knack"):
        sys.exit("knack: there is no libknack to put into the wheel: run `make` in the source folder, or set "
                 "$KNACK_LIBRARY to its path")
    return found


def _metadata():
    return (f"Metadata-Version: 2.1\nName: knack\nVersion: {_setting('version')}\nSummary: {_setting('description')}\n"
            "License: MIT\nRequires-Python: >=3.8\nProvides-Extra: arrays\n"
            "Requires-Dist: numpy; extra == 'arrays'\n").encode()


def _write(folder, files, tag):
    """Writes a wheel of files by name; returns its name."""
    name = f"knack-{_setting('version')}"
    files[f"{name}.dist-info/METADATA"] = _metadata()
    files[f"{name}.dist-info/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: knack\nRoot-Is-Purelib: "
                                        f"{str(tag == 'any').lower()}\nTag: py3-none-{tag}\n").encode()
    record = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{path},sha256={digest},{len(data)}\n")
    files[f"{name}.dist-info/RECORD"] = ("".join(record) + f"{name}.dist-info/RECORD,,\n").encode()
    wheel_name = f"{name}-py3-none-{tag}.whl"
    path = os.path.join(folder, wheel_name)
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED) as wheel:
        for inside, data in files.items():
            entry = zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    os.replace(path + ".new", path)
    return wheel_name


def _package():
    files = {}
    for name in sorted(os.listdir(os.path.join(HERE, "knack"))):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(HERE, "knack", name), "rb") as file:
                files[f"knack/{name}"] = file.read()
    return files


def make(folder, library):
    """Writes the wheel, with the library unless it is None."""
    files = _package()
    if library:
        with open(library, "rb") as file:
            files["knack/libknack.so.0"] = file.read()
    return _write(folder, files, re.sub(r"[.-]", "_", sysconfig.get_platform()) if library else "any")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517."""
    return make(wheel_directory, _library())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 660, `pip install -e`: the package stays where it is, and finds the library that was built beside it."""
    return _write(wheel_directory, {"knack.pth": (HERE + "\n").encode()}, "any")


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517 asks for it; the sources of the library are not here."""
    raise NotImplementedError("there is no source distribution of the Python package alone: use the project's own archive")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(os.path.join(sys.argv[2], make(sys.argv[2], sys.argv[1])))
