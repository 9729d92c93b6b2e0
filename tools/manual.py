#!/usr/bin/env python3
"""Transcripts and numbers of the manual, compared with what the program prints.

    tools/manual.py [--update] [--long] [--table] [--list] BUILD [PAGE...]

Two kinds of comments in README.md and docs/ ask for it. Above a code block:

    <!-- transcript -->          lines that begin with `$ ` are commands, the lines below each are what it prints
    <!-- transcript: long -->    the same, for commands that take more than a few seconds

Beside a number in a sentence or a table, where EXPECTED is what COMMAND prints:

    <!-- checked: COMMAND :: EXPECTED -->
    <!-- checked, long: COMMAND :: EXPECTED -->

In such a command `score knack match ...` plays the match without storing it and prints the score as the manual writes it,
.713 [.671, .750]; `elo` prints +158 [+124, +191]; $SOURCE and $BUILD are the folders of the sources and of the build.
`shipped EXPERIMENT TABLE ROW COLUMN DECIMALS` prints a number of data/embed/results with its interval. A section that names the
command of a shipped result and has an interval needs such a comment, so that the manual follows when results are measured again.

Numbers of a table that are compared with nothing have a comment directly above or below the table, which says why:

    <!-- numbers: not compared: REASON -->    measured; the command that measures them stands in the same section
    <!-- numbers: not measured: REASON -->    limits, defaults, sections of a paper; nothing to run
    <!-- numbers of the page: not measured: REASON -->    the same for all tables of a page

A table with numbers and without a comment is an error; so is an interval in a sentence of a section without a command, and a number
of EXPECTED that the reader of the section does not see.

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
HELPERS = """
score() { "$@" --no-store --quiet | awk '/^  score/ {
    gsub(/[][,]/, ""); for (i = 2; i <= 4; i++) {$i = sprintf("%.3f", $i); sub(/^0/, "", $i)}
    print $2 " [" $3 ", " $4 "]"}'; }
shipped() { python3 - "$@" <<'PYTHON'
import glob, json, os, re, sys
experiment, table, row, column, decimals = sys.argv[1:]
with open(glob.glob(os.path.join(os.environ["SOURCE"], "data/embed/results", experiment + ".*.json"))[0]) as file:
    result = json.load(file)
cells = [c for t in result["tables"] if t["id"] == table for c in t["cells"] if (c["row"], c["column"]) == (row, column)]
if len(cells) != 1:
    sys.exit("%s has %d cells %s, %s in %s" % (experiment, len(cells), row, column, table))
def text(value):
    number = "%.*f" % (int(decimals), value)
    if decimals == "3":  # shares of 1
        return re.sub(r"^(-?)0\\.", r"\\1.", number)
    return re.sub(r"^-(0*\\.?0*)$", r"\\1", number)
cell = cells[0]
print(text(cell["measured"]) + ("" if cell["low"] is None else " [%s, %s]" % (text(cell["low"]), text(cell["high"]))))
PYTHON
}
elo() { "$@" --no-store --quiet | awk '/^  Elo/ {gsub(/[][,]/, ""); printf "%+.0f [%+.0f, %+.0f]\\n", $2, $3, $4}'; }
"""
LIST_HEAD = """# What of the manual is compared with the program

`tools/manual.py --list build` writes this page from the pages' marks; `tools/manual.py --update --long build` writes anew what the
program prints.

## Compared

`make manual` runs these commands and compares what they print with the pages: `short` ones run in every test run, `long` ones take up to two minutes of processor time each.

| page | when | command |
|---|---|---|
"""
LIST_NOT = """
## Not compared here

Numbers of tables and their commands, which stand in the same section with seed and number of games.

| page | section | why | commands |
|---|---|---|---|
"""
LIST_COMMANDS = """
## Commands that are not run as they stand

All other commands of the manual run as they stand in `make manual`, each for two minutes of processor time at most, and with small numbers in every test run (`tests/house/manual.sh`).

| page | how | why | command |
|---|---|---|---|
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


PAGE_MARK = re.compile(r"<!-- numbers of the page: not measured: (.*?) -->", re.S)
MARK = re.compile(r"<!-- numbers: not (compared|measured): (.*?) -->", re.S)
COMMANDS = re.compile(r"<!-- commands: (options only|small|not run): (.*?) -->\n")
INTERVAL = re.compile(r"\[[-+]?\d*\.?\d+%?, [-+]?\d*\.?\d+%?\]")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*|\.\d+")
# What is likely to have been measured: intervals, decimals, shares, large numbers, times, sizes, counts of counts.
MEASURED = re.compile(INTERVAL.pattern + r"|\d*\.\d|\d ?%|\d,\d{3}|\d (s|ms|us|min|h|MB|GB|million)\b|\d of \d|\d / \d")
TOOL = re.compile(r"\bknack |\bknack-mpi |tools/|bench/|build/tests/|make [a-z]")


def plain(text):
    """What the reader sees, without code and the targets of links."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"`[^`]*`", "", text)
    return re.sub(r"\]\([^)]*\)|https?://\S+", "", text)


def number(text):
    """A number as it is compared: 0.945, .945 and 5,478 may be written in either way."""
    text = text.replace(",", "")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.lstrip("0") or "0"


def sections(text):
    """Pairs of a heading and what stands below it. Lines of code blocks are no headings."""
    title, lines, fenced = "", [], False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            yield title, "\n".join(lines)
            title, lines = line.lstrip("# "), []
        else:
            lines.append(line)
    yield title, "\n".join(lines)


def commands_of(section):
    """The commands in blocks and code spans of a section."""
    found = re.findall(r"`((?:knack|knack-mpi|node|tools/|bench/|awk|time|make|mpirun|KNACK_)[^`]* [^`]*)`", section, re.S)
    for block in re.findall(r"(?:^    .*\n)+", section + "\n", re.M):
        for line in re.sub(r"\\\n\s*", " ", block).split("\n"):
            line = re.sub(r"\s+# .*", "", line.strip())
            if re.match(r"(\$ )?(build/)?(knack|knack-mpi|mpirun|tools/|make|bench/|KNACK_|printf .*knack)\b", line):
                found.append(line)
    return [" ".join(one.split()) for one in found]


def paragraphs(section):
    """Blocks of a section between blank lines, with comments on lines of their own as blocks."""
    return [block for block in re.split(r"\n\s*\n|(?<=-->)\n|\n(?=<!--)", section) if block.strip()]


def audit(path, text, rows):
    """Numbers without a command or a reason, as messages. `rows` gets what is not compared."""
    said, whole = [], PAGE_MARK.search(text)
    for title, section in sections(text):
        blocks, commands = paragraphs(section), commands_of(section)
        for i, block in enumerate(blocks):
            if block.lstrip().startswith("|"):
                body = "\n".join(block.strip().split("\n")[2:])
                if not MEASURED.search(plain(body)) or whole:
                    continue
                beside = "\n".join(blocks[max(i - 1, 0):i] + blocks[i + 1:i + 2])
                j = i + 1  # several comments may follow
                while j < len(blocks) and blocks[j].startswith("<!-- checked"):
                    beside += blocks[j]
                    j += 1
                if j < len(blocks):
                    beside += blocks[j] if blocks[j].startswith("<!--") else ""
                mark, checked = MARK.search(beside), CHECK.search(beside)
                if not mark and not checked:
                    said.append("%s, %s: a table with numbers has no comment that checks them or says why not: %s" %
                                (path, title, body.split("\n")[0][:80]))
                if mark and mark.group(1) == "compared":
                    if not commands:
                        said.append("%s, %s: no command regenerates the numbers of a table" % (path, title))
                    rows.append((path, title, " ".join(mark.group(2).split()), commands))
            elif INTERVAL.search(plain(block)) and not block.startswith("    ") and not commands and not whole:
                said.append("%s, %s: no command stands beside an interval: %s" %
                            (path, title, INTERVAL.search(plain(block)).group(0)))
        runs = re.findall(r"knack lab run [^`]*", " ".join(section.split()))
        if any("--seed 2027" in run for run in runs) and INTERVAL.search(plain(section)):
            if not any(match.group(2).startswith("shipped ") for match in CHECK.finditer(section)):
                said.append("%s, %s: nothing compares the numbers of a shipped result (tools/manual.py: shipped)" % (path, title))
        seen = {number(n) for n in NUMBER.findall(re.sub(r"<!--.*?-->", "", section, flags=re.S))}
        for match in CHECK.finditer(section):
            for n in NUMBER.findall(match.group(3)):
                if number(n) not in seen and number(n) not in ("0", "1", "100", "95"):
                    said.append("%s, %s: the page does not show %s, which is compared: %s" % (path, title, n, match.group(2)[:70]))
    return said


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
        self.env = dict(os.environ, KNACK_DATA=os.path.join(self.folder, "data"), SOURCE=os.getcwd(), BUILD=build,
                        PATH=build + ":" + os.environ["PATH"])

    def run(self, command):
        started = time.time()
        try:
            done = subprocess.run(["sh", "-c", HELPERS + command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
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


def row(*cells):
    return "| %s |\n" % " | ".join(cells)


def page_link(path):
    link = os.path.relpath(path, "docs")
    return "[%s](%s)" % (link, link)


def code(command):
    return "`%s`" % " ".join(command.replace("\\\n", " ").split()).replace("|", "\\|")


def listing(pages):
    """The text of docs/transcripts.md, and what is wrong with the pages."""
    compared, missing, unrun, said = [], [], [], []
    for path in pages:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for match in sorted(list(BLOCK.finditer(text)) + list(CHECK.finditer(text)), key=lambda m: m.start()):
            if match.re is BLOCK:
                commands = re.findall(r"^    \$ ((?:.*\\\n)*.*)$", match.group(2), re.M)
            else:
                commands = [match.group(2)]
            for command in commands:
                compared.append(row(page_link(path), "long" if match.group(1) else "short", code(command)))
        rows = []
        said += audit(path, text, rows)
        for _, title, why, commands in rows:
            missing.append(row(page_link(path), title, why, ", ".join(code(one) for one in commands[:3])))
        for match in COMMANDS.finditer(text):
            block = re.match(r"\s*((?:[ ]+.*\n)+)", text[match.end():])
            lines = re.sub(r"\\\n\s*", " ", block.group(1)).strip().split("\n") if block else []
            unrun.append(row(page_link(path), match.group(1), match.group(2), ", ".join(code(line) for line in lines if line.strip())))
    return LIST_HEAD + "".join(compared) + LIST_NOT + "".join(missing) + LIST_COMMANDS + "".join(unrun), said


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
                file.write(listing(pages)[0])
            return 0
    bad, rows = 0, []
    if not names[1:]:
        listed, said = listing(pages)
        bad += len(said)
        for line in said:
            print(line)
        with open(LIST, encoding="utf-8") as file:
            if file.read() != listed:
                bad += 1
                print("%s does not list what the pages hold; tools/manual.py --list BUILD writes it anew" % LIST)
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
