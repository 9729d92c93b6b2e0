#!/bin/sh
# join.sh SOURCE: cmake/join.awk joins modules as they are written here, and refuses what it would get wrong.
set -eu
source=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/js/views"

join() { awk -v root="$place/js" -v first="$place/main.js" -v later="$place/later.js" -f "$source/cmake/join.awk" 2>"$place/said"; }

cat >"$place/js/main.js" <<'END'
import * as all from './dom.js';
import play from './views/play.js';
const later = async () => (await import('./views/lab.js')).default;
END
printf '%s\n' "export const h = 1," "  wide = 2;" "export async function get() {}" "export class Chart {}" >"$place/js/dom.js"
printf '%s\n' "import {h," "  get as ask} from '../dom.js';" "export default {h, ask};" >"$place/js/views/play.js"
printf '%s\n' "import {h} from '../dom.js';" "export default h;" >"$place/js/views/lab.js"
join || { cat "$place/said"; exit 1; }

wants() { grep -qxF "$2" "$place/$1" || { echo "$1 lacks: $2"; cat "$place/$1"; exit 1; }; }
wants main.js 'return {h, get, Chart};'
wants main.js 'const all = $dom;'
wants main.js 'const {default: play} = $views_play;'
wants main.js 'const {h,   get: ask} = $dom;'
wants main.js 'const $default = {h, ask};'
wants main.js "const later = async () => (await import('/js/later.js').then((all) => all.\$views_lab)).default;"
wants main.js 'export {$dom, $views_play, $main};'
wants later.js "import {\$dom, \$views_play, \$main} from '/js/main.js';"
wants later.js 'export {$views_lab};'

refuses() {
    if join; then echo "joined in spite of it: $1"; exit 1; fi
    grep -qF "$1" "$place/said" || { echo "wanted: $1"; cat "$place/said"; exit 1; }
}
echo 'export let changing = 1;' >"$place/js/views/lab.js"
refuses 'views/lab.js: this export is not understood: let changing = 1;'
echo "import {h} from '../nowhere.js';" >"$place/js/views/lab.js"
refuses 'nowhere.js: cannot be read'
echo "import '../dom.js';" >"$place/js/views/lab.js"
refuses 'views/lab.js: this import is not understood'
echo "import lab from './lab.js';" >"$place/js/views/lab.js"
refuses 'views/lab.js: is imported by a module that it imports'
