#!/usr/bin/env python3
"""Mutation testing: changes one thing in a source file and looks whether a test notices.

    tools/mutants.py BUILD [--rooms ROOM,...] [--count N] [--each] [--seed S] [--seconds T] [--budget T] [--workers N] [--near] [--places FILE:LINE,...] [--again] [--report] [--unreached] [--list]

BUILD is a complete build of this tree (`make mutants` makes one of its own, because its `knack` is replaced while a run
lasts). The places where something can be changed are ordered by a hash of the seed and of the changed line, and the first N
that compile are the sample (without those found to be the same program); so a later edit elsewhere leaves most of a sample as it is.

Which tests reach which line is recorded once, for all files and samples: they are compiled with --coverage, and every test of
`make test` but those in a browser runs with them. Later only tests that changed, or that reach a file that changed, run again. Then each mutant is compiled and linked only with the tests that reach its
line, the quick ones and those of its own folder first, and the first failure ends it. A failure counts when it happens twice in two runs, so
that a test that fails by chance kills nothing; a test that takes several times its processor time (an endless loop) or hangs counts
too. What no test reaches, or every test passes, survives.

With --near nothing is recorded, which takes long: a mutant meets the tests of its own folder that take at most NEAR seconds of
processor time, whatever they reach. More mutants survive so than with all tests.

Results are appended to BUILD/mutants.jsonl after each mutant, and a mutant that stands there is not tried again (but with
--again survivors are), so that a run can be stopped at any time and repeated. Survivors that cannot be told from the original by
any test stand with their reason in tools/mutants-equivalent.txt, and do not count.
"""
import argparse, concurrent.futures, glob, hashlib, json, math, os, queue, re, resource, shutil, signal, subprocess, sys, time

STATISTICS = ('src/base/stats', 'src/base/math')  # reported as rooms of their own
STORE = ('src/arena/store',)
NEAR = 2.0

NUMBER = r'(?<![\w.])(\d+\.\d*|\.\d+|\d+)(?![\w.])'
OPERATORS = [  # name, pattern, replacement
    ('comparison', r' <= ', ' < '), ('comparison', r' < ', ' <= '), ('comparison', r' >= ', ' > '),
    ('comparison', r' > ', ' >= '), ('equality', r' == ', ' != '), ('equality', r' != ', ' == '),
    ('sign', r' \+ ', ' - '), ('sign', r' - ', ' + '), ('factor', r' / ', ' * '), ('sum', r' \+= ', ' -= '), ('sum', r' -= ', ' += '),
    ('logic', r' && ', ' || '), ('logic', r' \|\| ', ' && '), ('step', r'\+\+(?=[;)\]])', '--'),
    ('truth', r'\breturn true;', 'return false;'), ('truth', r'\breturn false;', 'return true;'),
]


def sites(path):
    """All (line number, column, operator, new line, whether it is data) of a source file."""
    found, depth, comment, data = [], 0, False, False
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
        if not inside:
            data = bool(re.search(r'= \{|^(enum|struct|union|typedef)\b', code))  # a table: it has no code of its own
        depth += code.count('{') - code.count('}')
        text = code.strip()
        if not inside or not text or text.startswith('#') or 'ASSERT' in code or 'aligned(' in code or text.startswith(('static const', 'enum', 'case', '{', '.')):
            continue
        for name, pattern, put in OPERATORS:
            for match in re.finditer(pattern, code):
                found.append((number, match.start(), name, line[:match.start()] + put + line[match.end():], data))
        for match in re.finditer(NUMBER, code):
            old = match.group(1)
            if '[' in code[max(0, match.start() - 1):match.start()]:
                continue
            new = repr(float(old) / 2) if '.' in old else {'0': '1', '1': '0'}.get(old, str(int(old) // 2) if old.isdigit() else old)
            found.append((number, match.start(), 'constant', line[:match.start()] + new + line[match.end():], data))
        match = re.match(r'(\s*(?:\} else )?if )(\(.*\))( .*|)$', code)
        if match:
            end, level = match.end(1), 0
            for at in range(match.start(2), len(code)):
                level += (code[at] == '(') - (code[at] == ')')
                if level == 0:
                    end = at + 1
                    break
            if level == 0 and end > match.start(2):
                found.append((number, match.start(2), 'negation', line[:match.start(2)] + '(!' + line[match.start(2):end] + ')' + line[end:], data))
        if re.match(r'\s*[\w.>\[\]*()-]+( [-+*/|&^]?= .*|\(.*\)|\+\+|--);$', code) and not re.match(r'\s*(return|goto|break|free|kn_\w+_free|json_decref|pthread_\w+)\b', code):
            found.append((number, 0, 'dropped', re.match(r'\s*', line).group(0) + ';', data))
    return found


def room_of(path):
    if path.startswith(STATISTICS):
        return 'statistics'
    if path.startswith(STORE):
        return 'store'
    return path.split('/')[1] if path.count('/') > 1 else 'library'


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


class Mutant:
    def __init__(self, path, site, lines, occurrence):
        self.path, self.room = path, room_of(path)
        self.line, self.column, self.operator, self.new, self.data = site
        self.old = lines[self.line]
        # The same line may stand in a file several times; its number may change by an edit above it.
        self.id = hashlib.sha256(f'{path}\0{self.operator}\0{self.column}\0{self.old}\0{self.new}\0{occurrence}'.encode()).hexdigest()[:16]

    def is_reached(self, lines):
        """Whether a test runs it, with the lines of its file that the test runs."""
        return bool(lines) if self.data else self.line + 1 in lines

    def text(self, source):
        lines = read(os.path.join(source, self.path)).split('\n')
        lines[self.line] = self.new
        return '\n'.join(lines)

    def row(self, result, by):
        return dict(id=self.id, room=self.room, file=self.path, line=self.line + 1, operator=self.operator, old=self.old.strip(),
                    new=self.new.strip(), result=result, by=by)


def candidates(source, rooms, seed):
    """All mutants of the rooms, in the order of the seed."""
    found = []
    for base, _, files in os.walk(os.path.join(source, 'src')):
        for file in files:
            path = os.path.relpath(os.path.join(base, file), source)
            if not file.endswith('.c') or '/jobs/mpi/' in path or '/site/' in path:  # their tests want MPI and a browser
                continue
            lines, seen = read(os.path.join(source, path)).split('\n'), {}
            for site in sites(os.path.join(source, path)):
                same = (site[1:4], lines[site[0]])
                seen[same] = seen.get(same, -1) + 1
                found.append(Mutant(path, site, lines, seen[same]))
    known = {mutant.room for mutant in found}
    unknown = [room for room in rooms if room not in known]
    if unknown:
        sys.exit(f"no such room: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    found = [mutant for mutant in found if not rooms or mutant.room in rooms]
    return sorted(found, key=lambda mutant: hashlib.sha256(f'{seed}/{mutant.id}'.encode()).digest())


class Build:
    """Compiles changed files with the build's own commands, and links its programs with them."""

    def __init__(self, source, folder):
        self.source, self.folder = source, folder
        rows = json.loads(self.ninja('compdb'))
        self.commands = {}
        for row in rows:
            if re.match(r'CMakeFiles/knack_(objects|commands)\.dir/src/', row['output']) and row['file'].endswith('.c'):
                self.commands[os.path.relpath(row['file'], source)] = (row['command'], row['output'])
        self.work = os.path.join(folder, 'mutants')
        os.makedirs(self.work, exist_ok=True)
        self.links, self.plain = {}, {}

    def ninja(self, *tool):
        return subprocess.run(['ninja', '-C', self.folder, '-t', *tool], capture_output=True, text=True, check=True).stdout

    def compile(self, path, text, item, flags=''):
        """Compiles `text` in place of a file; says whether that is possible."""
        command, output = self.commands[path]
        copy = os.path.join(self.work, path.replace('/', '_')[:-2], os.path.basename(path))
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(copy, 'w', encoding='utf-8') as file:
            file.write(text)
        command = re.sub(r' -M[TF] \S+| -MD\b| -g\b|\bccache ', '', command)
        command = re.sub(r' -o \S+ -c \S+$', '', command).replace('-Werror', '')
        folder = os.path.dirname(os.path.join(self.source, path))
        command += f' {flags} -w -iquote {folder} -o {item} -c {copy}'
        return subprocess.run(['sh', '-c', command], cwd=self.folder, capture_output=True).returncode == 0

    def code(self, item):
        listing = subprocess.run(['objdump', '-d', '-r', '-s', '-j', '.text', '-j', '.rodata', '-j', '.data', item], capture_output=True).stdout
        return hashlib.sha256(listing.split(b'\n', 3)[-1]).hexdigest()  # without the file's name

    def compiles(self, mutant):
        return self.compile(mutant.path, mutant.text(self.source), '/dev/null', '-fsyntax-only')

    def is_same(self, mutant):
        """Whether the mutant is the same program as the original."""
        item = os.path.join(self.work, 'changed.o')
        if mutant.path not in self.plain:
            if not self.compile(mutant.path, read(os.path.join(self.source, mutant.path)), item):
                sys.exit(f'{mutant.path} does not compile as it is')
            self.plain[mutant.path] = self.code(item)
        return self.compile(mutant.path, mutant.text(self.source), item) and self.code(item) == self.plain[mutant.path]

    def link(self, program, objects, out, flags='', archive=''):
        """Links a program of the build with `objects` ({path: object}) in place of its own; with an archive of them, only with those
        that it needs."""
        if program not in self.links:
            self.links[program] = self.ninja('commands', '-s', program).strip().split('\n')[-1]
        command = self.links[program]
        others = []
        for path, item in objects.items():
            own = self.commands[path][1]
            if f' {own} ' in command:
                command = command.replace(f' {own} ', f' {item} ')
            elif '/knack_objects.dir/' in own:
                others.append(item)
        if ' libknack.a' in command:  # what stands before the archive is taken instead of its member
            command = command.replace(' libknack.a', ' ' + (archive or ' '.join(others)) + ' libknack.a', 1)
        command = re.sub(r' -o \S+', lambda match: f' {flags} -fuse-ld=lld -Wl,--strip-debug,--threads=1 -o {out}', command, count=1)
        command = re.sub(r'&& cmake .*', '', command.replace(' -g ', ' '))
        done = subprocess.run(['sh', '-c', command], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.stderr.write(f'{program} is not linked: {done.stderr[-400:]}\n')
        return done.returncode == 0


class Test:
    def __init__(self, row, build):
        self.name, self.command = row['name'], row['command']
        properties = {item['name']: item['value'] for item in row['properties']}
        self.environment = dict(item.split('=', 1) for item in properties.get('ENVIRONMENT', []))
        self.folder = properties['LABELS'][0]
        self.original = next((word for word in self.command if re.match(re.escape(build.folder) + r'/(tests|fuzz)[^/]*/\w+$', word)), None)
        self.program = os.path.relpath(self.original, build.folder) if self.original else None
        self.time = self.cpu = self.cost = 0.0
        self.good, self.near, self.reach = False, False, {}

    def uses_knack(self):
        """Whether it may run the program `knack`: it is a script, or knows the build's folder."""
        if not self.original:
            return True
        with open(self.original, 'rb') as file:
            return os.path.dirname(os.path.dirname(self.original)).encode() in file.read()

    def is_near(self, mutant):
        """Whether it is a test of the mutant's folder; those of the library's whole are with its C API."""
        folder = mutant.path.split('/')[1]
        return self.name.startswith(('capi' if folder.endswith('.c') else folder) + '/')

    def meets(self, mutant):
        """Whether it is asked about a mutant: one that it reaches, or of its own folder where nothing was recorded."""
        return self.is_near(mutant) if self.near else mutant.is_reached(self.reach.get(mutant.path, ()))

    def key(self, build):
        """What a recorded run of the test depends on beside the sources."""
        digest = hashlib.sha256(' '.join(self.command).replace(build.folder, '').encode())
        names = [os.path.join(build.source, 'tests', self.name + '.c')]
        names += [word for word in self.command if word.startswith(build.source + '/tests/')]
        names += [os.path.join(build.source, 'tests/cli/sessions', word) for word in self.command if word.endswith('.txt')]
        for name in names:
            if os.path.isfile(name):
                digest.update(read(name).encode())
        return digest.hexdigest()[:16]

    def run(self, program, cpu=0.0, wall=900.0, environment={}):
        """0 if it passes (or skips itself), else why not; with the time that it took."""
        command = [program if program and word == self.original else word for word in self.command]

        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if cpu:
                resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 2))
        started = time.monotonic()
        process = subprocess.Popen(command, env=dict(os.environ, **self.environment, **environment), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit)
        ended, code, pause = 0, 0, 0.002
        while not ended and time.monotonic() - started < wall:
            ended, code, usage = os.wait4(process.pid, os.WNOHANG)
            if not ended:
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it left running
        except ProcessLookupError:
            pass
        if not ended:
            _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0  # waited for
        self.took = time.monotonic() - started, usage.ru_utime + usage.ru_stime
        return ('time' if not ended else 0 if os.waitstatus_to_exitcode(code) in (0, 77) else os.waitstatus_to_exitcode(code))


class Bench:
    """The tests, what each reaches, and mutants before them."""

    def __init__(self, build, skip, budget):
        self.build, self.budget, self.left_out = build, budget, 0
        listing = subprocess.run(['ctest', '--test-dir', build.folder, '--show-only=json-v1'], capture_output=True, text=True, check=True).stdout
        self.tests = [Test(row, build) for row in json.loads(listing)['tests'] if not re.match(skip, row['name'])]
        self.products = [name for name in ('knack', 'knack-mpi', 'libknack.so.0.1.0') if os.path.exists(os.path.join(build.folder, name))]
        self.kept = os.path.join(build.work, 'plain')
        os.makedirs(self.kept, exist_ok=True)
        for name in self.products:  # of a run that was killed
            if os.path.exists(os.path.join(self.kept, name)):
                self.restore(name)
            shutil.copy2(os.path.join(build.folder, name), os.path.join(self.kept, name))

    def restore(self, name):
        shutil.copy2(os.path.join(self.kept, name), os.path.join(self.build.folder, name + '.new'))
        os.replace(os.path.join(self.build.folder, name + '.new'), os.path.join(self.build.folder, name))

    def replace(self, name, objects, flags=''):
        new = os.path.join(self.build.folder, name + '.new')
        done = self.build.link(name, objects, new, flags)
        if done:
            os.replace(new, os.path.join(self.build.folder, name))
        return done

    # ---- what a test reaches ----

    def record(self, workers):
        """Fills in the time and the reach of every test: from the file of an earlier run, where neither the test nor a source that
        it reaches has changed since."""
        build, file = self.build, os.path.join(self.build.folder, 'mutants.reach.json')
        sums = {path: hashlib.sha256(read(os.path.join(build.source, path)).encode()).hexdigest()[:16] for path in sorted(build.commands)}
        kept = json.loads(read(file)) if os.path.exists(file) else {}

        def is_stale(test):
            row = kept.get(test.key(build))
            return not row or any(sums.get(path) != row['sums'][path] for path in row['reach'])
        earlier = {row['name']: row['time'] for row in kept.values()}
        for test in self.tests:
            test.cost = earlier.get(test.name, 60.0 if 'property' in test.name else 0.0)
        todo = [test for test in self.tests if is_stale(test)]
        if todo:
            self.record_anew(sorted(todo, key=lambda test: -test.cost), sums, kept, file, workers)
        for test in self.tests:
            row = kept[test.key(build)]
            test.good, test.time, test.cpu = row['good'], row['time'], row['cpu']
            test.reach = {path: set(lines) for path, lines in row['reach'].items()}
        weak = [test.name for test in self.tests if not test.good]
        if weak:
            print('not asked, because they fail without a change:', ', '.join(weak), flush=True)

    def record_anew(self, tests, sums, kept, file, workers):
        build = self.build
        folder = os.path.join(build.folder, 'mutants.coverage')
        os.makedirs(folder, exist_ok=True)
        objects = {path: os.path.join(folder, path.replace('/', '_')[:-2] + '.o') for path in sums}

        def is_old(path):
            return not os.path.exists(objects[path]) or os.path.getmtime(objects[path]) < os.path.getmtime(os.path.join(build.source, path))

        def compile_one(path):
            return path, build.compile(path, read(os.path.join(build.source, path)), objects[path], '--coverage -O1')
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for path, good in pool.map(compile_one, [path for path in objects if is_old(path)]):
                if not good:
                    sys.exit(f'{path} does not compile with --coverage')
        archive = os.path.join(folder, 'coverage.a')
        if os.path.exists(archive):
            os.remove(archive)
        members = [item for path, item in objects.items() if '/knack_objects.dir/' in build.commands[path][1]]
        subprocess.run(['ar', 'rcs', archive, *members], check=True)
        # A child that a test forks leaves by _exit, which keeps no counts by itself.
        leave = os.path.join(folder, 'leave')
        with open(leave + '.c', 'w', encoding='utf-8') as source:
            source.write('void __gcov_dump(void); void __real__exit(int); void __wrap__exit(int code) { __gcov_dump(); __real__exit(code); }\n')
        subprocess.run(['cc', '-w', '-c', leave + '.c', '-o', leave + '.o'], check=True)
        flags = f'--coverage -Wl,--wrap=_exit {leave}.o'
        try:
            for name in self.products:
                self.replace(name, objects, flags)
            rooms = queue.Queue()  # each test at work leaves its counts in a folder of its own
            for number in range(workers):
                room = os.path.join(folder, f'counts{number}')
                shutil.rmtree(room, ignore_errors=True)
                os.makedirs(room)
                os.chmod(room, 0o777)  # children may be somebody else
                for item in objects.values():
                    os.symlink(item[:-2] + '.gcno', os.path.join(room, os.path.basename(item)[:-2] + '.gcno'))
                rooms.put(room)

            def record_one(test):
                room = rooms.get()
                program = os.path.join(room, 'program') if test.program else None
                if program and not build.link(test.program, objects, program, flags, archive):
                    rooms.put(room)
                    return test, None, {}
                for name in glob.glob(os.path.join(room, '*.gcda')):
                    os.remove(name)
                good = test.run(program, environment={'GCOV_PREFIX': room, 'GCOV_PREFIX_STRIP': str(folder.count('/'))}) == 0
                reach = self.covered(room, objects)
                rooms.put(room)
                return test, good, reach
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                done = [pool.submit(record_one, test) for test in tests]
                for number, item in enumerate(concurrent.futures.as_completed(done)):
                    test, good, reach = item.result()
                    if good is None:
                        sys.exit(1)
                    kept[test.key(build)] = dict(name=test.name, good=good, time=test.took[0], cpu=test.took[1], reach=reach,
                                                 sums={path: sums[path] for path in reach})
                    print(f'{number + 1}/{len(tests)} {test.name}: {test.took[0]:.1f} s, {sum(map(len, reach.values()))} lines{"" if good else ", FAILS"}', flush=True)
                    with open(file + '.new', 'w') as out:
                        json.dump(kept, out)
                    os.replace(file + '.new', file)
        finally:
            for name in self.products:
                self.restore(name)

    def covered(self, folder, objects):
        """{path: lines that were executed}, from the counts that a test has left."""
        names = {os.path.basename(item)[:-2]: path for path, item in objects.items()}
        data = sorted(os.path.basename(name) for name in glob.glob(os.path.join(folder, '*.gcda')))
        found = {}
        if not data:
            return found
        text = subprocess.run(['gcov', '--json-format', '--stdout', *data], cwd=folder, capture_output=True, text=True).stdout
        for line in text.split('\n'):
            if not line.startswith('{'):
                continue
            row = json.loads(line)
            path = names.get(os.path.basename(row['data_file'])[:-5] if row['data_file'].endswith('.gcda') else os.path.basename(row['data_file']))
            for part in row['files']:
                if path and os.path.basename(part['file']) == os.path.basename(path):
                    # A line within an expression has no count of its own: it goes with the one before it.
                    count, lines = {}, set()
                    for item in part['lines']:
                        count[item['line_number']] = count.get(item['line_number'], 0) + item['count']
                    reached = False
                    for number in range(1, max(count, default=0) + 12):
                        reached = count.get(number, reached and 1 or 0) > 0
                        if reached:
                            lines.add(number)
                    if lines:
                        found[path] = sorted(lines)
        return found

    def measure_near(self, mutant):
        """Fills in the time of the tests of a mutant's folder, in place of `record`: of those that pass within NEAR seconds."""
        file = os.path.join(self.build.folder, 'mutants.near.json')
        kept = json.loads(read(file)) if os.path.exists(file) else {}
        for test in self.tests:
            if test.near or not test.is_near(mutant):
                continue
            key = test.key(self.build)
            if key not in kept:
                good = test.run(test.original, NEAR) == 0 and test.took[1] <= NEAR
                kept[key] = dict(name=test.name, good=good, cpu=test.took[1])
                print(f"{test.name}: {test.took[1]:.1f} s{'' if good else ', not asked'}", flush=True)
                with open(file, 'w') as out:
                    json.dump(kept, out)
            test.good, test.near = kept[key]['good'], True
            test.time = test.cpu = kept[key]['cpu']

    # ---- a mutant ----

    def order(self, mutant):
        """The tests that reach the mutant, the most promising for their time first."""
        words = set(re.split(r'[/_.]', mutant.path[4:-2]))

        def price(test):
            near = len(words & set(re.split(r'[/_]', test.name)))
            return (test.time + 0.3) / 6 ** near
        found = sorted((test for test in self.tests if test.good and test.meets(mutant)), key=price)
        spent, within = 0.0, []
        for test in found:
            spent += test.cpu
            if not self.budget or not within or spent <= self.budget:
                within.append(test)
        self.left_out = len(found) - len(within)
        return within

    def judge(self, mutant):
        tests = self.order(mutant)
        if not tests:
            return 'survived', 'no test reaches it'
        item = os.path.join(self.build.work, 'changed.o')
        if not self.build.compile(mutant.path, mutant.text(self.build.source), item, '-O1'):
            return 'invalid', ''
        objects, fresh = {mutant.path: item}, set()
        try:
            for test in tests:
                for name in self.products:
                    if name not in fresh and (test.uses_knack() if name == 'knack' else re.match('jobs/mpi|house', test.name)):
                        fresh.add(name)
                        self.replace(name, objects)
                program = None
                if test.program:
                    program = os.path.join(self.build.work, 'program')
                    if not self.build.link(test.program, objects, program):
                        return 'invalid', test.name
                cpu, wall = 4 * test.cpu + 4, 10 * test.time + 30
                first = test.run(program, cpu, wall)
                if first != 0 and (first == 'time' or test.run(program, cpu, wall) != 0):
                    return 'killed', f'{test.name}'
            return 'survived', f'{len(tests)} tests' + (f', {self.left_out} not asked' if self.left_out else '')
        finally:
            for name in fresh:
                self.restore(name)


def equivalents(source):
    """{(file, old line, new line): reason} of the mutants that no test can notice."""
    found, path = {}, os.path.join(source, 'tools/mutants-equivalent.txt')
    for block in re.split(r'\n\s*\n', read(path)) if os.path.exists(path) else []:
        lines = [line for line in block.strip().split('\n') if not line.startswith('#')]
        if len(lines) >= 4:
            found[lines[0].strip(), lines[1][2:].strip(), lines[2][2:].strip()] = ' '.join(line.strip() for line in lines[3:])
    return found


def wilson(good, n, z=1.959964):
    middle, half = (good + z * z / 2) / (n + z * z), z * math.sqrt(good * (n - good) / n + z * z / 4) / (n + z * z)
    return 100 * (middle - half), 100 * (middle + half)


def report(rows, same):
    print('\n| room | mutants | killed | survived | score | 95 % interval (Wilson) |\n|---|---|---|---|---|---|')
    judged = [row for row in rows if row['result'] in ('killed', 'survived') and (row['file'], row['old'], row['new']) not in same]
    for room in sorted({row['room'] for row in judged}) + ['all']:
        part = [row for row in judged if room in (row['room'], 'all')]
        killed = sum(row['result'] == 'killed' for row in part)
        if part:
            low, high = wilson(killed, len(part))
            print(f'| {room} | {len(part)} | {killed} | {len(part) - killed} | {100 * killed / len(part):.0f} % | {low:.0f} to {high:.0f} % |')
    equal = [row for row in rows if (row['file'], row['old'], row['new']) in same]
    if equal:
        print(f'\n{len(equal)} more make no difference (tools/mutants-equivalent.txt).')
    for row in judged:
        if row['result'] == 'survived':
            print(f"\n{row['file']}:{row['line']}: {row['operator']}, survived ({row['by']})\n- {row['old']}\n+ {row['new']}")


def print_unreached(order, folder):
    """The places that no recorded test reaches, which would survive for certain: for each room, and the files with most of them."""
    reach, rooms, files = {}, {}, {}
    for row in json.loads(read(os.path.join(folder, 'mutants.reach.json'))).values():
        for path, lines in row['reach'].items():
            reach.setdefault(path, set()).update(lines)
    for mutant in order:
        missed = not mutant.is_reached(reach.get(mutant.path, ()))
        rooms.setdefault(mutant.room, []).append(missed)
        if missed:
            files.setdefault(mutant.path, []).append(mutant.line + 1)
    for room, missed in sorted(rooms.items()):
        print(f'{room}: {sum(missed)} of {len(missed)} places ({100 * sum(missed) / len(missed):.1f} %)')
    for path, lines in sorted(files.items(), key=lambda item: -len(item[1]))[:40]:
        print(f'{len(lines)} {path}: lines {", ".join(map(str, sorted(set(lines))))}'[:160])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('--rooms', default='', help='names of folders of src, and statistics and store; separated by commas')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--each', action='store_true', help='so many of each room, not of all together')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=0, help='stop after this time (0: at the end)')
    parser.add_argument('--skip', default='e2e/', help='a pattern of the names of tests that are not asked (default e2e/)')
    parser.add_argument('--budget', type=float, default=0, help='ask only the most promising tests of a mutant, for so many seconds of processor time (0: all)')
    parser.add_argument('--workers', type=int, default=2, help='tests at once while it is recorded what they reach (default 2)')
    parser.add_argument('--near', action='store_true', help='record nothing, and ask only quick tests of the own folder')
    parser.add_argument('--places', default='', help='only these, FILE:LINE,..., whatever the seed')
    parser.add_argument('--again', action='store_true', help='try the survivors in the file again')
    parser.add_argument('--report', action='store_true', help='print the table of what was done, and nothing else')
    parser.add_argument('--unreached', action='store_true', help='print which places no test reaches (as last recorded), and nothing else')
    parser.add_argument('--list', action='store_true', help='print the first places of the order, and nothing else')
    arguments = parser.parse_args()
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder, started = os.path.abspath(arguments.build), time.monotonic()
    order = candidates(source, [room for room in arguments.rooms.split(',') if room], arguments.seed)
    if arguments.places:
        order = [mutant for mutant in order if f'{mutant.path}:{mutant.line + 1}' in arguments.places.split(',')]
    if arguments.unreached:
        return print_unreached(order, folder)
    if arguments.list:
        for mutant in order[:arguments.count]:
            print(f'{mutant.path}:{mutant.line + 1}: {mutant.operator}: {mutant.new.strip()}')
        return
    results, done = os.path.join(folder, 'mutants.jsonl'), {}
    for line in read(results).split('\n') if os.path.exists(results) else []:
        if line:
            row = json.loads(line)
            done[row['id']] = row

    def keep(mutant, result, by=''):
        done[mutant.id] = mutant.row(result, by)
        with open(results, 'a', encoding='utf-8') as file:
            file.write(json.dumps(done[mutant.id]) + '\n')

    build, bench, same, sample = Build(source, folder), None, equivalents(source), []
    taken = {}
    for mutant in order:  # the first N that are other programs, as far as is known yet
        stratum = mutant.room if arguments.each else ''
        if taken.get(stratum, 0) == arguments.count:
            continue
        if mutant.id not in done:
            if arguments.report:
                taken[stratum] = arguments.count
                continue
            keep(mutant, 'untried' if build.compiles(mutant) else 'invalid')
        if done[mutant.id]['result'] not in ('invalid', 'same'):
            sample.append(mutant)
            taken[stratum] = taken.get(stratum, 0) + 1

    def settled(mutant):
        row = done[mutant.id]
        known = row['result'] == 'killed' or (row['result'] == 'survived' and not arguments.again)
        return known or (row['file'], row['old'], row['new']) in same

    for number, mutant in enumerate(sample):
        row = done[mutant.id]
        if settled(mutant) or arguments.report:
            continue
        if arguments.seconds and time.monotonic() - started > arguments.seconds:
            break
        if not bench:
            bench = Bench(build, arguments.skip, arguments.budget)
            if not arguments.near:
                bench.record(arguments.workers)
        if arguments.near:
            bench.measure_near(mutant)
        begun = time.monotonic()
        result, by = bench.judge(mutant)
        keep(mutant, 'same' if result == 'survived' and build.is_same(mutant) else result, by)
        print(f"{number + 1}/{len(sample)} {row['file']}:{row['line']} {row['operator']}: {done[mutant.id]['result']} ({by}, {time.monotonic() - begun:.0f} s)", flush=True)
    report([done[mutant.id] for mutant in sample if mutant.id in done], same)


main()
