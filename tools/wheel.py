#!/usr/bin/env python3
"""wheel.py SOURCE LIBRARY FOLDER: a wheel of the Python package with the shared library inside, by the standard library alone (PEP 427).

Same bytes for the same files: names are sorted, and times are fixed."""
import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile


def main(source, library, folder):
    package = os.path.join(source, "python", "knack")
    with open(os.path.join(source, "python", "pyproject.toml"), encoding="utf-8") as file:
        project = file.read()
    version = re.search(r'^version = "(.*)"', project, re.M).group(1)
    summary = re.search(r'^description = "(.*)"', project, re.M).group(1)
    platform = re.sub(r"[.-]", "_", sysconfig.get_platform())
    info = f"knack-{version}.dist-info"
    files = {}
    for name in sorted(os.listdir(package)):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(package, name), "rb") as file:
                files[f"knack/{name}"] = file.read()
    with open(library, "rb") as file:
        files["knack/libknack.so.0"] = file.read()
    files[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: knack\nVersion: {version}\nSummary: {summary}\nLicense: MIT\nRequires-Python: >=3.8\n"
                                 "Provides-Extra: arrays\nRequires-Dist: numpy; extra == 'arrays'\n").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: knack\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n".encode()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()
    path = os.path.join(folder, f"knack-{version}-py3-none-{platform}.whl")
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    os.replace(path + ".new", path)
    print(path)


if len(sys.argv) != 4:
    sys.exit(__doc__)
main(*sys.argv[1:])
