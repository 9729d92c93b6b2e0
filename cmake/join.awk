# Joins the page's modules into two files, so that a browser asks for two and not for forty: what main.js imports, and what is
# imported on demand. The sources stay modules; each becomes a function that gives its exports, under a name of its own:
#
#     const $dom = (() => { ... return {h, set}; })();
#
#     awk -v root=src/web/page/js -v first=FILE -v later=FILE -f cmake/join.awk
#
# It reads lines, not JavaScript, and says so where a line is not as it expects: an import or export begins its line; what is exported
# is `const`, `function`, `class` or `default` and never changes; modules do not import each other in circles.

function fail(file, text) {
  print root "/" file ": " text >"/dev/stderr"
  failed = 1
  exit 1
}

# $views_play for views/play.js
function name_of(file) {
  sub(/\.js$/, "", file)
  gsub(/[^A-Za-z0-9]/, "_", file)
  return "$" file
}

# The file that `path` names in an import of `file`, from the root: ../dom.js in stage/view.js is dom.js.
function resolve(file, path, parts, folder) {
  folder = file ~ /\// ? file : ""
  sub(/[^\/]*$/, "", folder)
  while (path ~ /^\.\.?\//) {
    if (path ~ /^\.\.\//) {
      if (folder == "") fail(file, "imports " path ", which is outside")
      sub(/[^\/]*\/$/, "", folder)
    }
    sub(/^\.\.?\//, "", path)
  }
  return folder path
}

function quoted(text) {
  match(text, /'[^']*'/)
  return substr(text, RSTART + 1, RLENGTH - 2)
}

# Reads a module, first those that it imports; what it imports on demand is noted. `part` is 1 for the first file, 2 for the other.
function visit(file, part, line, text, more, before, after, dependency, wanted, count, i) {
  if (state[file] == "read") return
  if (state[file] == "reading") fail(file, "is imported by a module that it imports")
  state[file] = "reading"
  text = ""
  count = 0
  while ((line = next_line(file)) != end) {
    if (line ~ /^import /) {
      while (line !~ /;$/) {
        if ((more = next_line(file)) == end) fail(file, "this import has no end: " line)
        line = line " " more
      }
      dependency = resolve(file, quoted(line))
      wanted[++count] = dependency
      line = imported(file, line, name_of(dependency))
    } else if (line ~ /^export /) line = exported(file, line)
    text = text line "\n"
  }
  for (i = 1; i <= count; i++) visit(wanted[i], part)
  while (match(text, /import\('\.[^']*'\)/)) {
    before = substr(text, 1, RSTART - 1)
    after = substr(text, RSTART + RLENGTH)
    dependency = resolve(file, quoted(substr(text, RSTART, RLENGTH)))
    demanded[++demands] = dependency
    text = before "import('/js/later.js').then((all) => all." name_of(dependency) ")" after
  }
  state[file] = "read"
  order[++files] = file
  part_of[file] = part
  body[file] = text
}

# A line of a file, or `end`.
function next_line(file, line, got) {
  got = (getline line <(root "/" file))
  if (got < 0) fail(file, "cannot be read")
  if (got == 0) close(root "/" file)
  return got ? line : end
}

function imported(file, line, from) {
  sub(/ from '[^']*';$/, "", line)
  sub(/^import /, "", line)
  if (line ~ /^\* as [A-Za-z]+$/) return "const " substr(line, 6) " = " from ";"
  if (line ~ /^[A-Za-z]+$/) return "const {default: " line "} = " from ";"
  if (line !~ /^\{[A-Za-z, ]+\}$/) fail(file, "this import is not understood: " line)
  gsub(/ as /, ": ", line)
  return "const " line " = " from ";"
}

function exported(file, line, name) {
  sub(/^export /, "", line)
  if (line ~ /^default /) {
    exports[file] = exports[file] ", default: $default"
    sub(/^default /, "const $default = ", line)
    return line
  }
  if (line !~ /^(const|class|function|async function) [A-Za-z]/) fail(file, "this export is not understood: " line)
  name = line
  sub(/^(const|class|function|async function) /, "", name)
  match(name, /^[A-Za-z0-9]+/)
  exports[file] = exports[file] ", " substr(name, 1, RLENGTH)
  return line
}

function write(part, out, i, file) {
  for (i = 1; i <= files; i++) {
    file = order[i]
    if (part_of[file] == part)
      printf "\n// %s\nconst %s = (() => {\n%sreturn {%s};\n})();\n", file, name_of(file), body[file], substr(exports[file], 3) >out
  }
}

# The names of a part's modules, in one list.
function names(part, i, list) {
  for (i = 1; i <= files; i++)
    if (part_of[order[i]] == part) list = list ", " name_of(order[i])
  return substr(list, 3)
}

BEGIN {
  end = "\n"
  visit("main.js", 1)
  for (i = 1; i <= demands; i++) visit(demanded[i], 2)
  print "// Joined by cmake/join.awk: the sources are modules in src/web/page/js." >first
  write(1, first)
  print "export {" names(1) "};" >first
  print "// Joined by cmake/join.awk: the sources are modules in src/web/page/js." >later
  print "import {" names(1) "} from '/js/main.js';" >later
  write(2, later)
  print "export {" names(2) "};" >later
}
END { exit failed }
