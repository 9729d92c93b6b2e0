#!/usr/bin/env python3
"""Mutation testing: changes one thing in a source file and looks whether a test notices.

    tools/mutants.py BUILD [--rooms ROOM,...] [--count N] [--seed S] [--seconds T] [--results FILE] [--report]

Draws N mutants by the seed, each room with its share of the places where something can be changed. A mutant is compiled by
the build's own command with one object changed, and linked with each test that covers its room: those of the room first,
then those of rooms that use it. A test that fails, crashes or does not end in time kills the mutant; one that passes all of
them survives. Mutants that do not compile, or compile to the same code, do not count. Results are appended to
BUILD/mutants.jsonl after each mutant, and a mutant that stands there is not tried again, so that a run can be stopped at any
time and repeated. The table at the end has all results in the file that belong to the drawn sample.
"""
import argparse, hashlib, json, os, random, re, shutil, subprocess, sys, tempfile, time

# The folders below tests/ that cover a room of src/, nearest first. The command line's tests run another program and are not
# asked here, so that the score is a lower bound of what `make test` notices.
COVERS = {
    'base': ['base', 'jobs', 'learn', 'players', 'arena'],
    'learn': ['learn', 'eval', 'methods/allocation', 'methods/tdleaf'],
    'games': ['games', 'formats', 'search', 'players'],
    'formats': ['formats'],
    'eval': ['eval', 'search', 'methods/tdleaf'],
    'search': ['search', 'players', 'methods/allocation'],
    'players': ['players', 'arena', 'methods'],
    'arena': ['arena', 'methods/tdleaf', 'methods/experience'],
    'methods': ['methods'],
    'web': ['web'],
    'lab': ['lab'],
    'protocols': ['protocols'],
    'jobs': ['jobs', 'arena'],
}
# Within these, the tests of the same folder come first and the other methods' are not asked.
METHODS = ('allocation', 'experience', 'hoyle', 'openings', 'satisficing', 'tdleaf', 'widening', 'general')
STATISTICS = ('src/base/stats', 'src/base/math')  # reported as a room of its own
STORE = ('src/arena/store', 'src/arena/runs')

NUMBER = r'(?<![\w.])(\d+\.\d*|\.\d+|\d+)(?![\w.])'
OPERATORS = [  # name, pattern, replacement
    ('comparison', r' <= ', ' < '), ('comparison', r' < ', ' <= '), ('comparison', r' >= ', ' > '),
    ('comparison', r' > ', ' >= '), ('equality', r' == ', ' != '), ('equality', r' != ', ' == '),
    ('sign', r' \+ ', ' - '), ('sign', r' - ', ' + '), ('factor', r' / ', ' * '), ('sum', r' \+= ', ' -= '), ('sum', r' -= ', ' += '),
    ('logic', r' && ', ' || '), ('logic', r' \|\| ', ' && '), ('step', r'\+\+(?=[;)\]])', '--'),
    ('truth', r'\breturn true;', 'return false;'), ('truth', r'\breturn false;', 'return true;'),
]


def sites(path):
    """All (line number, column, operator, new line) of a source file."""
    found, depth, comment = [], 0, False
    for number, line in enumerate(open(path, encoding='utf-8').read().split('\n')):
        code, i = [], 0
        while i < len(line):  # blanks for comments, strings and characters, so that columns stay
            if comment:
                end = line.find('*/', i)
                stop = len(line) if end < 0 else end + 2
                comment = end < 0
                code.append(' ' * (stop - i))
                i = stop
            elif line.startswith('/*', i):
                comment = True
            elif line.startswith('//', i):
                break
            elif line[i] in '"\'':
                end = i + 1
                while end < len(line) and line[end] != line[i]:
                    end += 2 if line[end] == '\\' else 1
                code.append('"' + ' ' * (min(end, len(line) - 1) - i - 1) + '"' if end > i else '"')
                i = min(end, len(line) - 1) + 1
            else:
                code.append(line[i])
                i += 1
        code = ''.join(code)
        inside = depth > 0
        depth += code.count('{') - code.count('}')
        text = code.strip()
        if not inside or not text or text.startswith('#') or 'ASSERT' in code or text.startswith(('static const', 'enum', 'case', '{', '.')):
            continue
        for name, pattern, put in OPERATORS:
            for match in re.finditer(pattern, code):
                found.append((number, match.start(), name, line[:match.start()] + put + line[match.end():]))
        for match in re.finditer(NUMBER, code):
            old = match.group(1)
            if '[' in code[max(0, match.start() - 1):match.start()]:
                continue
            new = repr(float(old) / 2) if '.' in old else {'0': '1', '1': '0'}.get(old, str(int(old) // 2) if old.isdigit() else old)
            found.append((number, match.start(), 'constant', line[:match.start()] + new + line[match.end():]))
        match = re.match(r'(\s*(?:\} else )?if )(\(.*\))( .*|)$', code)
        if match:
            end, level = match.end(1), 0
            for at in range(match.start(2), len(code)):
                level += (code[at] == '(') - (code[at] == ')')
                if level == 0:
                    end = at + 1
                    break
            if level == 0 and end > match.start(2):
                found.append((number, match.start(2), 'negation', line[:match.start(2)] + '(!' + line[match.start(2):end] + ')' + line[end:]))
        if re.match(r'\s*[\w.>\[\]*()-]+( [-+*/|&^]?= .*|\(.*\)|\+\+|--);$', code) and not re.match(r'\s*(return|goto|break|free|kn_\w+_free|json_decref|pthread_\w+)\b', code):
            found.append((number, 0, 'dropped', re.match(r'\s*', line).group(0) + ';'))
    return found


def room_of(path):
    if path.startswith(STATISTICS):
        return 'statistics'
    if path.startswith(STORE):
        return 'store'
    return path.split('/')[1]


def test_folders(path):
    parts = path.split('/')
    room = parts[1]
    if room == 'methods' and parts[2] in METHODS:
        return ['methods/' + parts[2], 'methods']
    return COVERS.get(room, [room])


class Bench:
    def __init__(self, source, build):
        self.source, self.build = source, build
        database = json.loads(subprocess.run(['ninja', '-C', build, '-t', 'compdb'], capture_output=True, text=True, check=True).stdout)
        self.compile = {}
        for row in database:
            if row['output'].startswith('CMakeFiles/knack_objects.dir/') and row['file'].endswith('.c'):
                self.compile[os.path.relpath(os.path.join(build, row['file']), source)] = (row['command'], row['output'])
        self.work = tempfile.mkdtemp(prefix='mutants.')
        self.links, self.plain = {}, {}
        self.clock = os.path.join(build, 'mutants.times.json')  # how long each test takes; remove it after a change of machine
        self.times = json.load(open(self.clock)) if os.path.exists(self.clock) else {}

    def tests(self, path):
        """The test programs that cover a file, those of its own folder first, the quick ones first."""
        names, seen = [], set()
        for folder in test_folders(path):
            part = []
            for base, _, files in os.walk(os.path.join(self.source, 'tests', folder)):
                if folder == 'methods' and base != os.path.join(self.source, 'tests', folder):
                    continue
                for file in files:
                    name = os.path.relpath(os.path.join(base, file), os.path.join(self.source, 'tests'))[:-2].replace('/', '_')
                    if file.startswith('test_') and file.endswith('.c') and name not in seen and os.path.exists(f'{self.build}/tests/{name}'):
                        seen.add(name)
                        part.append(name)
            stem = os.path.basename(path)[:-2]
            part.sort(key=lambda name: (stem.split('_')[0] not in name, self.time(name)))
            names += part
        return [name for name in names if 0 <= self.time(name) <= 12]

    def run(self, program, seconds):
        """0 passed, else why not."""
        folder = tempfile.mkdtemp(dir=self.work)
        environment = dict(os.environ, LC_ALL='C.UTF-8', HOME=folder, XDG_DATA_HOME=folder + '/data', TMPDIR=folder)
        try:
            done = subprocess.run([program], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=seconds)
            return 0 if done.returncode in (0, 77) else done.returncode
        except subprocess.TimeoutExpired:
            return 'time'
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def time(self, name):
        """Seconds that a test takes; -1 if it fails without a mutant."""
        if name not in self.times:
            started = time.monotonic()
            good = self.run(f'{self.build}/tests/{name}', 60) == 0
            self.times[name] = time.monotonic() - started if good else -1
            with open(self.clock, 'w') as file:
                json.dump(self.times, file)
        return self.times[name]

    def link(self, name, item):
        if name not in self.links:
            commands = subprocess.run(['ninja', '-C', self.build, '-t', 'commands', '-s', f'tests/{name}'], capture_output=True, text=True, check=True).stdout
            self.links[name] = commands.strip().split('\n')[-1]
        command = self.links[name].replace(f'-o tests/{name} ', f'-o {self.work}/program {item} ', 1)
        return subprocess.run(['sh', '-c', command], cwd=self.build, capture_output=True).returncode == 0

    def object(self, path, text, name):
        """Compiles a changed text; its file name, or None."""
        command, output = self.compile[path]
        folder = os.path.dirname(os.path.join(self.source, path))
        copy = os.path.join(self.work, os.path.basename(path))
        with open(copy, 'w', encoding='utf-8') as file:
            file.write(text)
        item = f'{self.work}/{name}.o'
        command = re.sub(r'\s-c\s+\S+', '', command).replace(f'-o {output}', f'-o {item}')
        command = re.sub(r' -M[DTF]( \S+\.[od](?= ))?', '', re.sub(r' -MT \S+| -MF \S+', '', command))
        command = command.replace('ccache ', '').replace('-Werror', '').replace(' -g ', ' ') + f' -w -iquote {folder} -c {copy}'
        done = subprocess.run(['sh', '-c', command], cwd=self.build, capture_output=True)
        return item if done.returncode == 0 else None

    def code(self, item):
        listing = subprocess.run(['objdump', '-d', '-r', '-s', '-j', '.text', '-j', '.rodata', item], capture_output=True).stdout
        return listing.split(b'\n', 3)[-1]  # without the file's name

    def judge(self, path, mutant, text):
        lines = text.split('\n')
        number, _, _, new = mutant
        lines[number] = new
        if path not in self.plain:
            plain = self.object(path, text, 'plain')
            if not plain:
                sys.exit(f'{path} does not compile as it is')
            self.plain[path] = self.code(plain)
        changed = self.object(path, '\n'.join(lines), 'changed')
        if not changed:
            return 'invalid', ''
        if self.code(changed) == self.plain[path]:
            return 'same', ''
        tests = self.tests(path)
        if not tests:
            return 'uncovered', ''
        for name in tests:
            if not self.link(name, changed):
                return 'invalid', name
            if self.run(f'{self.work}/program', 5 * self.time(name) + 5) != 0:
                return 'killed', name
        return 'survived', f'{len(tests)} tests'


def draw(source, rooms, count, seed):
    """The sample: (file, site), in an order that a longer sample continues."""
    rng, pools = random.Random(seed), {}
    for base, _, files in sorted(os.walk(os.path.join(source, 'src'))):
        for file in sorted(files):
            path = os.path.relpath(os.path.join(base, file), source)
            if file.endswith('.c') and '/page' not in path and path.split('/')[1] in COVERS:
                for site in sites(os.path.join(source, path)):
                    pools.setdefault(room_of(path), []).append((path, site))
    chosen = [room for room in sorted(pools) if not rooms or room in rooms]
    unknown = [room for room in rooms if room not in pools]
    if unknown or not chosen:
        sys.exit(f"no such room: {', '.join(unknown)}; there are {', '.join(sorted(pools))}")
    for room in chosen:
        rng.shuffle(pools[room])
    sample, taken, total = [], {room: 0 for room in chosen}, sum(len(pools[room]) for room in chosen)
    while len(sample) < min(count, total):  # the room that is furthest below its share
        room = max(chosen, key=lambda r: (len(pools[r]) * (len(sample) + 1) / total - taken[r], r) if taken[r] < len(pools[r]) else (-1e9, r))
        sample.append((room, *pools[room][taken[room]]))
        taken[room] += 1
    return sample


def identity(path, site, text):
    number, column, name, new = site
    return hashlib.sha256(f'{path}\0{name}\0{column}\0{text.split(chr(10))[number]}\0{new}\0{number}'.encode()).hexdigest()[:16]


def report(rows):
    print('\n| room | mutants | killed | survived | score |\n|---|---|---|---|---|')
    for room in sorted({row['room'] for row in rows}) + ['all']:
        part = [row for row in rows if room in (row['room'], 'all') and row['result'] in ('killed', 'survived', 'uncovered')]
        killed = sum(row['result'] == 'killed' for row in part)
        if part:
            print(f"| {room} | {len(part)} | {killed} | {len(part) - killed} | {100 * killed / len(part):.0f} % |")
    for row in rows:
        if row['result'] in ('survived', 'uncovered'):
            print(f"\n{row['file']}:{row['line']}: {row['operator']}, {row['result']} ({row['by']})\n  - {row['old'].strip()}\n  + {row['new'].strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('--rooms', default='', help='names of folders of src, and statistics and store; separated by commas')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=0, help='stop after this time (0: at the end)')
    parser.add_argument('--results', default='')
    parser.add_argument('--report', action='store_true', help='print the table of what was done, and nothing else')
    parser.add_argument('--list', action='store_true', help='print the sample, and nothing else')
    parser.add_argument('--again', action='store_true', help='try the survivors in the file again')
    arguments = parser.parse_args()
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    build = os.path.abspath(arguments.build)
    results = arguments.results or os.path.join(build, 'mutants.jsonl')
    done = {}
    if os.path.exists(results):
        for line in open(results, encoding='utf-8'):
            row = json.loads(line)
            done[row['id']] = row
    sample = draw(source, [room for room in arguments.rooms.split(',') if room], arguments.count, arguments.seed)
    started, bench, rows = time.monotonic(), None, []
    for room, path, site in sample:
        text = open(os.path.join(source, path), encoding='utf-8').read()
        key = identity(path, site, text)
        if arguments.list:
            print(f'{path}:{site[0] + 1}: {site[2]}: {site[3].strip()}')
            continue
        late = arguments.seconds and time.monotonic() - started > arguments.seconds
        survivor = arguments.again and done.get(key, {}).get('result') in ('survived', 'uncovered')
        if (key not in done or survivor) and not arguments.report and not late:
            bench = bench or Bench(source, build)
            result, by = bench.judge(path, site, text)
            done[key] = dict(id=key, room=room, file=path, line=site[0] + 1, operator=site[2], old=text.split('\n')[site[0]],
                             new=site[3], result=result, by=by)
            with open(results, 'a', encoding='utf-8') as file:
                file.write(json.dumps(done[key]) + '\n')
            print(f"{result:9} {path}:{site[0] + 1} {site[2]} ({by})", flush=True)
        if key in done:
            rows.append(done[key])
    if bench:
        shutil.rmtree(bench.work, ignore_errors=True)
    if not arguments.list:
        report(rows)


main()
