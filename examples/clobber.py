"""The game of Clobber told to Knack over the pipe (docs/pipe.md): only this program knows its rules.

    knack play 'pipe("python3 clobber.py")'      # or "python3 clobber.py 5x4"

Stones x and o fill the board in a checkered pattern. A move takes one's stone onto a neighbouring stone of
the other, which disappears. Who cannot move loses. A state is the rows from the top and who has the move:
xoxo/oxox/xoxo x.
"""
import sys

WIDTH, HEIGHT = (int(n) for n in (sys.argv[1] if len(sys.argv) > 1 else "4x3").split("x"))
NAMES = [chr(97 + x) + str(HEIGHT - y) for y in range(HEIGHT) for x in range(WIDTH)]
NEAR = [[b for b in range(len(NAMES)) if abs(a % WIDTH - b % WIDTH) + abs(a // WIDTH - b // WIDTH) == 1]
        for a in range(len(NAMES))]


def parse(state):
    rows, mover = state.split(" ")
    cells = rows.replace("/", "")
    if len(cells) != len(NAMES) or set(cells) - set(".xo") or mover not in "xo":
        raise ValueError("expected rows such as xoxo/oxox/xoxo and who moves, not " + state)
    return list(cells), mover


def text(cells, mover):
    return "/".join("".join(cells[y * WIDTH:(y + 1) * WIDTH]) for y in range(HEIGHT)) + " " + mover


def tell(state):
    cells, mover = parse(state)
    other = "o" if mover == "x" else "x"
    moves = [NAMES[a] + "-" + NAMES[b] for a, c in enumerate(cells) if c == mover for b in NEAR[a]
             if cells[b] == other]
    print("moves", mover, *moves) if moves else print("over", *((-1, 1) if mover == "x" else (1, -1)))
    print("board", "".join(cells))


def play(move, state):
    cells, mover = parse(state)
    a, b = (NAMES.index(name) for name in move.split("-"))
    cells[a], cells[b] = ".", mover
    return text(cells, "o" if mover == "x" else "x")


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    try:
        if word == "rules":
            start = text(["xo"[(i % WIDTH + i // WIDTH) % 2] for i in range(len(NAMES))], "x")
            print(f"id Clobber\nroles x o\nzerosum\nboard {WIDTH} {HEIGHT} .xo\nstart {start}\nrulesok")
        elif word == "state":
            tell(rest)
            print("ok")
        elif word == "play":
            state = play(*rest.split(" ", 1))
            print("state", state)
            tell(state)
            print("ok")
        elif word == "quit":
            break
    except ValueError as problem:
        print("error", problem)
    sys.stdout.flush()
