#!/usr/bin/env python3
"""Transcripts and numbers of the manual, compared with what the program prints.

    tools/manual.py [--update] [--long] [--table] [--list] BUILD [PAGE...]

Two kinds of comments in README.md and docs/ ask for it. Above a code block:

    <!-- transcript -->          lines that begin with `$ ` are commands, the lines below each are what it prints
    <!-- transcript: long -->    the same, for commands that take more than a few seconds

Beside a number in a sentence or a table, where EXPECTED is what COMMAND prints:

    <!-- checked: COMMAND :: EXPECTED -->
    <!-- checked, long: COMMAND :: EXPECTED -->

Every page has a scratch folder of its own, in which its commands run in order. Times, rates, dates and paths are masked before
the comparison. --update writes what is printed into the pages instead; --long takes the long ones too; --table prints
a table of what was compared; --list writes docs/transcripts.md, the list of all that is compared, which must fit the pages. A command has
two minutes of processor time. Exit code 1 if something differs. What ends with status 77 is skipped (a program that is not there).
"""
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

TIMEOUT = 120  # seconds of processor time for one program; on a busy machine they may take longer by the clock
PATIENCE = 15 * TIMEOUT
LIST = "docs/transcripts.md"
LIST_HEAD = """# What of the manual is compared with the program

`make manual` runs these commands and compares what they print with the pages: `short` ones run in every test run, `long` ones take up to two minutes of processor time each. `tools/manual.py --list` writes this page.
Figures that take longer stand beside their command, seed and number of games.

| page | when | command |
|---|---|---|
"""
MASKS = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ?"), "DATE"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|min|h)\b"), "TIME"),
    (re.compile(r"\b[\d.]+[kMG]?/s\b"), "RATE"),
    (re.compile(r"\s+[\d.]+ (thousand|million|billion)/s$"), ""),  # perft, where it took long enough
    (re.compile(r"(?<=/)\d+\.\d\d$"), "TIME"),        # NBoard: === MOVE/EVAL/SECONDS
    (re.compile(r"(?<=nodestats )(\d+) [\d.]+"), r"\1 TIME"),
    (re.compile(r"/[^\s:\"']*/(?=[^/\s]*)"), "DIR/"),
]
BLOCK = re.compile(r"^<!-- transcript(: long)? -->\n\n?((?:(?:    .*)?\n)+)", re.M)
CHECK = re.compile(r"<!-- checked(, long)?: (.*?) :: (.*?) -->", re.S)


def masked(text):
    lines = []
    for line in text.rstrip().split("\n"):
        for pattern, replacement in MASKS:
            line = pattern.sub(replacement, line)
        lines.append(" ".join(line.split()))
    return "\n".join(lines)


class Page:
    def __init__(self, path, build, options):
        self.path, self.options = path, options
        self.rows, self.bad = [], 0
        self.folder = tempfile.mkdtemp(prefix="manual-")
        self.env = dict(os.environ, KNACK_DATA=os.path.join(self.folder, "data"),
                        PATH=build + ":" + os.environ["PATH"])

    def run(self, command):
        started = time.time()
        try:
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT)))
            code, printed = done.returncode, done.stdout.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            code, printed = 124, "(takes more than %d s)\n" % PATIENCE
        return code, printed, time.time() - started

    def compare(self, command, wanted):
        """What stands in the page now: as it was, or what is printed with --update."""
        code, printed, seconds = self.run(command)
        same = code == 77 or masked(printed).strip() == masked(wanted).strip()
        self.rows.append((command, seconds, "skipped" if code == 77 else "as printed" if same else "differs"))
        if same:
            return wanted
        if self.options["update"]:
            return printed.rstrip("\n")
        self.bad += 1
        print("%s: $ %s\n--- the page\n%s\n--- the program\n%s" % (self.path, command, wanted, printed.rstrip("\n")))
        return wanted

    def block(self, match):
        if match.group(1) and not self.options["long"]:
            return match.group(0)
        lines, out, i = [line[4:] for line in match.group(2).split("\n")], [], 0
        tail = ""
        while lines and not lines[-1]:
            lines.pop()
            tail += "\n"
        while i < len(lines):
            command = lines[i]
            if not command.startswith("$ "):
                raise SystemExit("%s: a transcript begins with a command: %s" % (self.path, command))
            i += 1
            while command.endswith("\\"):
                command += "\n" + lines[i]
                i += 1
            begin = i
            while i < len(lines) and not lines[i].startswith("$ "):
                i += 1
            wanted = "\n".join(lines[begin:i])
            found = self.compare(command[2:], wanted)
            out += command.split("\n") + (found.split("\n") if found else [])
        body = "\n".join("    " + line if line else "" for line in out)
        head = match.group(0)[:match.start(2) - match.start(0)]
        return head + body + "\n" + tail[1:] if tail else head + body

    def check(self, match):
        if match.group(1) and not self.options["long"]:
            return match.group(0)
        found = " ".join(self.compare(match.group(2), match.group(3)).split())
        return "<!-- checked%s: %s :: %s -->" % (match.group(1) or "", match.group(2), found)

    def go(self):
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        changed = CHECK.sub(self.check, BLOCK.sub(self.block, text))
        if changed != text and self.options["update"]:
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(changed)
            print("%s is brought up to date" % self.path)
        subprocess.run(["rm", "-rf", self.folder], check=False)


def listing(pages):
    """The text of docs/transcripts.md."""
    rows = []
    for path in pages:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for match in sorted(list(BLOCK.finditer(text)) + list(CHECK.finditer(text)), key=lambda m: m.start()):
            if match.re is BLOCK:
                commands = re.findall(r"^    \$ ((?:.*\\\n)*.*)$", match.group(2), re.M)
            else:
                commands = [match.group(2)]
            for command in commands:
                command = " ".join(command.replace("\\\n", " ").split()).replace("|", "\\|")
                rows.append("| [%s](%s) | %s | `%s` |\n" % (os.path.basename(path), os.path.relpath(path, "docs"),
                                                         "long" if match.group(1) else "short", command))
    return LIST_HEAD + "".join(rows)


def main(arguments):
    options = {name: "--" + name in arguments for name in ("update", "long", "table", "list")}
    names = [a for a in arguments if not a.startswith("--")]
    if not names:
        raise SystemExit(__doc__)
    build, pages = os.path.abspath(names[0]), names[1:]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if not pages:
        pages = ["README.md"] + sorted(
            os.path.join(folder, name) for folder, _, names in os.walk("docs") for name in names
            if name.endswith(".md") and name != "transcripts.md")
        if options["list"]:
            with open(LIST, "w", encoding="utf-8") as file:
                file.write(listing(pages))
            return 0
    bad, rows = 0, []
    if not names[1:]:
        with open(LIST, encoding="utf-8") as file:
            if file.read() != listing(pages):
                bad += 1
                print("%s does not list what the pages hold; tools/manual.py --list writes it anew" % LIST)
    for path in pages:
        page = Page(path, build, options)
        page.go()
        bad += page.bad
        rows += [(path,) + row for row in page.rows]
    if options["table"]:
        print("| page | command | result |\n|---|---|---|")
        for path, command, _, result in rows:
            print("| %s | `%s` | %s |" % (path, command.replace("\n", " ").replace("|", "\\|"), result))
    print("%d transcripts and numbers compared, %d differ" % (len(rows), bad), file=sys.stderr)
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
