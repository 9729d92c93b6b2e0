// Files of the program's own file system, which is in memory: those that changed since the last look.
'use strict';

class Files {
  #seen = new Map(); // path: time and size
  #last = 0;

  constructor(fs, root) { this.fs = fs; this.root = root; }

  *#walk(folder) {
    for (const name of this.fs.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}/${name}`, about = this.fs.lstat(path);
      if (this.fs.isDir(about.mode)) yield* this.#walk(path);
      else if (this.fs.isFile(about.mode)) yield [path, about];
    }
  }

  /** {path: bytes}, with null for a file that is gone. A file that was written in the millisecond of the last look counts as changed. */
  changed() {
    const now = Date.now(), found = {}, gone = new Set(this.#seen.keys());
    for (const [path, about] of this.#walk(this.root)) {
      gone.delete(path);
      const mark = `${+about.mtime} ${about.size}`;
      if (this.#seen.get(path) === mark && +about.mtime < this.#last) continue;
      this.#seen.set(path, mark);
      found[path] = this.fs.readFile(path);
    }
    for (const path of gone) { this.#seen.delete(path); found[path] = null; }
    this.#last = now;
    return found;
  }

  write(files) {
    for (const [path, bytes] of Object.entries(files)) {
      if (!bytes) { try { this.fs.unlink(path); } catch { /* it is gone */ } continue; }
      this.fs.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      this.fs.writeFile(path, bytes);
    }
  }
}
