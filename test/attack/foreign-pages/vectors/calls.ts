import { type Aim, page, REDIRECTS, script, type Vector, type Vectors } from './vector.ts';

/** Arguments of `fetch`, after the URL. */
const FETCHES: Readonly<Record<string, string>> = {
  plain: '{}',
  'no-cors': "{ mode: 'no-cors' }",
  'no-cors with credentials': "{ mode: 'no-cors', credentials: 'include' }",
  'with credentials': "{ credentials: 'include' }",
  'same-origin': "{ mode: 'same-origin' }",
  'kept alive': '{ keepalive: true }',
  'no-cors, kept alive': "{ mode: 'no-cors', keepalive: true }",
  HEAD: "{ method: 'HEAD', mode: 'no-cors' }",
  'HEAD with CORS': "{ method: 'HEAD' }",
  'from the cache': "{ mode: 'no-cors', cache: 'force-cache' }",
  'with a redirect by hand': "{ redirect: 'manual' }",
  'of low priority': "{ mode: 'no-cors', priority: 'low' }",
  'for a purpose': "{ headers: { Purpose: 'x', 'X-Requested-With': 'x' } }",
  'with a token': "{ headers: { Authorization: 'Bearer x' } }",
  'of the local network': "{ mode: 'no-cors', targetAddressSpace: 'loopback' }",
  'without a referrer': "{ mode: 'no-cors', referrerPolicy: 'no-referrer' }",
};

/** Arguments of `fetch` that would change something, with their target. */
const CHANGES: Readonly<Record<string, [aim: 'cut' | 'message' | 'session', init: string]>> = {
  'POST of a text': ['cut', "{ method: 'POST', mode: 'no-cors', body: '{}' }"],
  'POST of a form': ['cut', "{ method: 'POST', mode: 'no-cors', body: new URLSearchParams({ a: 1 }) }"],
  'POST of nothing': ['cut', "{ method: 'POST', mode: 'no-cors' }"],
  'POST of a blob': ['cut', "{ method: 'POST', mode: 'no-cors', body: new Blob(['{}']) }"],
  'POST of JSON': ['cut', "{ method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }"],
  'POST of JSON, said to be text': [
    'cut',
    "{ method: 'POST', mode: 'no-cors', body: '{}', headers: { 'Content-Type': 'text/plain;application/json' } }",
  ],
  'POST, kept alive': ['message', "{ method: 'POST', mode: 'no-cors', keepalive: true, body: '{}' }"],
  DELETE: ['session', "{ method: 'DELETE' }"],
  'DELETE with credentials': ['session', "{ method: 'DELETE', credentials: 'include' }"],
  'POST for a DELETE': [
    'session',
    "{ method: 'POST', mode: 'no-cors', body: '_method=DELETE', headers: { 'X-HTTP-Method-Override': 'DELETE' } }",
  ],
};

const CALLERS: Readonly<Record<string, (code: string, aim: Aim) => string>> = {
  page: (code) => code,
  worker: (code, { here }) => `new Worker('${here.file('text/javascript', code)}')`,
  'worker of a blob': (code) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`,
  'shared worker': (code, { here }) => `new SharedWorker('${here.file('text/javascript', code)}')`,
};

function fetches(): [name: string, vector: Vector][] {
  return [
    ...Object.entries(FETCHES).map(([name, init]): [string, Vector] => [
      `fetch, ${name}`,
      ({ start }) => script(`fetch('${start}', ${init})`),
    ]),
    ...Object.entries(CHANGES).map(([name, [aim, init]]): [string, Vector] => [
      `fetch, ${name}`,
      (aims) => script(`fetch('${aims[aim]}', ${init})`),
    ]),
    ...Object.entries(CALLERS).flatMap(([caller, wrap]) =>
      (['plain', 'no-cors'] as const).map((name): [string, Vector] => [
        `fetch by a ${caller}, ${name}`,
        (aim) => script(wrap(`fetch('${aim.start}', ${FETCHES[name]})`, aim)),
      ]),
    ),
    ...(['here', 'third', 'allowed'] as const).flatMap((site) =>
      REDIRECTS.flatMap((status) =>
        (['plain', 'no-cors', 'with credentials'] as const).map((name): [string, Vector] => [
          `fetch through a ${status} of ${site}, ${name}`,
          (aim) => script(`fetch('${aim[site].redirect(aim.start, status)}', ${FETCHES[name]})`),
        ]),
      ),
    ),
  ];
}

/** Requests of scripts, with or without reading the answer. */
export const CALLS: Vectors = {
  ...Object.fromEntries(fetches()),
  'fetch, later': ({ start }) => script(`fetchLater('${start}', { activateAfter: 0 })`),
  'fetch as the page goes': ({ start, here }) =>
    script(
      `addEventListener('pagehide', () => fetch('${start}', { keepalive: true, mode: 'no-cors' })); location = '${here.file('text/html', '')}'`,
    ),
  'fetch of a list': ({ list }) => script(`fetch('${list}', { mode: 'no-cors' }); fetch('${list}')`),
  'fetch in the background': ({ start, here }) => {
    const worker = here.file('text/javascript', '');
    return script(
      `await navigator.serviceWorker.register('${worker}'); const { backgroundFetch } = await navigator.serviceWorker.ready; await backgroundFetch.fetch('x', ['${start}'])`,
    );
  },
  'cache that adds it': ({ start }) =>
    script(
      `const cache = await caches.open('x'); cache.add(new Request('${start}', { mode: 'no-cors' })); cache.add('${start}')`,
    ),
  XMLHttpRequest: ({ start }) =>
    script(`const x = new XMLHttpRequest(); x.open('GET', '${start}'); x.send()`),
  'XMLHttpRequest, at once': ({ start }) =>
    script(`const x = new XMLHttpRequest(); x.open('GET', '${start}', false); x.send()`),
  'XMLHttpRequest with credentials': ({ start }) =>
    script(`const x = new XMLHttpRequest(); x.open('GET', '${start}'); x.withCredentials = true; x.send()`),
  'XMLHttpRequest, HEAD': ({ start }) =>
    script(`const x = new XMLHttpRequest(); x.open('HEAD', '${start}'); x.send()`),
  'XMLHttpRequest, POST': ({ cut }) =>
    script(`const x = new XMLHttpRequest(); x.open('POST', '${cut}'); x.send('{}')`),
  'XMLHttpRequest, DELETE': ({ session }) =>
    script(`const x = new XMLHttpRequest(); x.open('DELETE', '${session}'); x.send()`),
  'beacon of a text': ({ cut }) => script(`navigator.sendBeacon('${cut}', '{}')`),
  'beacon of a form': ({ cut }) => script(`navigator.sendBeacon('${cut}', new FormData())`),
  'beacon of JSON': ({ cut }) =>
    script(`navigator.sendBeacon('${cut}', new Blob(['{}'], { type: 'application/json' }))`),
  'beacon through a 307': ({ cut, here }) =>
    script(`navigator.sendBeacon('${here.redirect(cut, 307)}', '{}')`),
  'event source': ({ start }) => script(`new EventSource('${start}')`),
  'event source with credentials': ({ start }) =>
    script(`new EventSource('${start}', { withCredentials: true })`),
  'event source through an allowed site': ({ start, allowed }) =>
    script(`new EventSource('${allowed.redirect(start)}')`),
  'import by script': ({ start }) => script(`import('${start}')`),
  'worker of it': ({ start }) => script(`new Worker('${start}')`),
  'worker that imports it': ({ start, here }) =>
    script(`new Worker('${here.file('text/javascript', `importScripts('${start}')`)}')`),
  'module worker that imports it': ({ start, here }) =>
    script(`new Worker('${here.file('text/javascript', `import '${start}'`)}', { type: 'module' })`),
  'worker through a redirect': ({ start, here }) => script(`new Worker('${here.redirect(start)}')`),
  'shared worker of it': ({ start }) => script(`new SharedWorker('${start}')`),
  'shared worker that imports it': ({ start, here }) =>
    script(`new SharedWorker('${here.file('text/javascript', `importScripts('${start}')`)}')`),
  'service worker of it': ({ start }) => script(`navigator.serviceWorker.register('${start}')`),
  'service worker that imports it': ({ start, here }) =>
    script(
      `navigator.serviceWorker.register('${here.file('text/javascript', `importScripts('${start}')`)}')`,
    ),
  'service worker that calls': ({ start, here }) => {
    const code = `fetch('${start}', { mode: 'no-cors' }); fetch('${start}')`;
    return script(`navigator.serviceWorker.register('${here.file('text/javascript', code)}')`);
  },
  'worklet of paint': ({ start }) => script(`CSS.paintWorklet.addModule('${start}')`),
  'worklet of audio': ({ start }) => script(`new AudioContext().audioWorklet.addModule('${start}')`),
  'worklet of audio with credentials': ({ start }) =>
    script(`new AudioContext().audioWorklet.addModule('${start}', { credentials: 'include' })`),
  'worklet of shared storage': ({ start }) => script(`sharedStorage.worklet.addModule('${start}')`),
  'transport over HTTP/3': ({ start }) => script(`new WebTransport('${start.replace('http:', 'https:')}')`),
  'relay of a peer connection': ({ start }) =>
    script(
      `const turn = 'turn:${new URL(start).host}?transport=tcp'; const peer = new RTCPeerConnection({ iceServers: [{ urls: turn, username: 'x', credential: 'x' }] }); peer.createDataChannel('x'); await peer.setLocalDescription()`,
    ),
  'identity provider': ({ start }) =>
    script(
      `navigator.credentials.get({ identity: { providers: [{ configURL: '${start}', clientId: 'x' }] } })`,
    ),
  'payment method': ({ start }) =>
    page(
      `<button id="click" onclick="new PaymentRequest([{ supportedMethods: '${start}' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show()">Pay</button>`,
    ),
};

/** Pages that listen to pushes, or use Socket.IO in another way. */
export const SOCKETS: Vectors = {
  ...Object.fromEntries(
    Object.entries(CALLERS).map(([caller, wrap]): [string, Vector] => [
      `WebSocket of a ${caller}`,
      (aim) => script(wrap(`new WebSocket('${webSocket(aim)}')`, aim)),
    ]),
  ),
  'WebSocket of a sandboxed frame': (aim) =>
    page(
      `<iframe sandbox="allow-scripts" srcdoc="<script>new WebSocket('${webSocket(aim)}')</script>"></iframe>`,
    ),
  'WebSocket to a call': ({ start }) => script(`new WebSocket('${start.replace('http:', 'ws:')}')`),
  'WebSocket through a redirect': (aim) =>
    script(`new WebSocket('${aim.here.redirect(webSocket(aim)).replace('http:', 'ws:')}')`),
  WebSocketStream: (aim) => script(`await new WebSocketStream('${webSocket(aim)}').opened`),
  'polling by fetch': (aim) => script(`fetch('${polling(aim)}')`),
  'polling by fetch, no-cors': (aim) => script(`fetch('${polling(aim)}', { mode: 'no-cors' })`),
  'polling by a script': (aim) => page(`<script src="${polling(aim)}&j=0"></script>`),
  'polling by an image': (aim) => page(`<img src="${polling(aim)}">`),
  'polling by an image, crossorigin': (aim) => page(`<img crossorigin src="${polling(aim)}">`),
  'polling by a frame': (aim) => page(`<iframe src="${polling(aim)}"></iframe>`),
  'polling by a link': (aim) => page(`<a id="click" href="${polling(aim)}">link</a>`),
  'polling by a prefetch': (aim) => {
    const rules = JSON.stringify({ prefetch: [{ source: 'list', urls: [polling(aim)] }] });
    return page(`<script type="speculationrules">${rules}</script>`);
  },
  'polling by an event source': (aim) => script(`new EventSource('${polling(aim)}')`),
  'polling by a beacon': (aim) => script(`navigator.sendBeacon('${polling(aim)}', '40')`),
  'polling by a form': (aim) =>
    page(
      `<form method="post" enctype="text/plain" action="${polling(aim)}"><button id="click">Go</button></form>`,
    ),
};

function polling({ socket }: Aim): string {
  return `${socket}?EIO=4&transport=polling`;
}

function webSocket({ socket }: Aim): string {
  return `${socket.replace('http:', 'ws:')}?EIO=4&transport=websocket`;
}
