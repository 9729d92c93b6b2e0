// The page without a server (docs/site.md): a worker answers what the server would, with the same program compiled to WebAssembly. It has the two
// things that the page needs of a server, under the names that the browser gives them.

let worker = null, count = 0;
const asked = new Map(), streams = new Map();

function receive({data}) {
  if (data.trouble) { failAll(data.trouble); return; }
  if (data.stream !== undefined) { streams.get(data.stream)?.receive(data); return; }
  const {resolve} = asked.get(data.id);
  asked.delete(data.id);
  const headers = {'Content-Type': data.type};
  if (data.filename) headers['Content-Disposition'] = `attachment; filename="${data.filename}"`;
  resolve(new Response([204, 304].includes(data.status) ? null : data.text, {status: data.status, headers}));
}

function failAll(reason) {
  for (const {reject} of asked.values()) reject(new Error(reason));
  asked.clear();
}

export function connect(address) {
  worker = new Worker(address);
  worker.onmessage = receive;
  worker.onerror = (event) => failAll(event.message);
}

export const fetch = (path, {method, body}) => new Promise((resolve, reject) => {
  const id = ++count;
  asked.set(id, {resolve, reject});
  worker.postMessage({id, method, path, body});
});

export class EventSource extends EventTarget {
  #number = ++count;

  constructor(path) {
    super();
    streams.set(this.#number, this);
    worker.postMessage({stream: this.#number, path});
  }

  receive({opened, events}) {
    if (opened !== undefined) (opened ? this.onopen : this.onerror)?.();
    for (const event of events?.split('\n\n') ?? []) {
      const name = /^event: (.*)$/m.exec(event), data = /^data: (.*)$/m.exec(event);
      if (name && data) this.dispatchEvent(new MessageEvent(name[1], {data: data[1]}));
    }
  }

  close() {
    streams.delete(this.#number);
    worker.postMessage({close: this.#number});
  }
}
