import { type Aim, page, REDIRECTS, script, type Vector, type Vectors } from './vector.ts';

const TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

function form(attributes: string, aimOf: (aim: Aim) => string): Vector {
  return (aim) =>
    page(
      `<form ${attributes} action="${aimOf(aim)}"><input name='{"x":"' value='"}'><button id="click">Go</button></form>`,
    );
}

function forms(): Vectors {
  const vectors: Record<string, Vector> = {
    'form, GET': form('', ({ start }) => start),
    'form, GET, in a new window': form('target="_blank"', ({ start }) => start),
    'form, GET, by script': ({ start }) =>
      page(`<form action="${start}"></form><script>document.forms[0].submit()</script>`),
    'form, GET, by the action of a button': ({ start }) =>
      page(`<form><button id="click" formaction="${start}">Go</button></form>`),
    'form, GET, by an image': ({ start }) =>
      page(`<form action="${start}"><input id="click" type="image" alt="Go"></form>`),
    'form, POST, into a frame': ({ cut }) =>
      page(
        `<iframe name="f"></iframe><form method="post" target="f" action="${cut}"></form><script>document.forms[0].submit()</script>`,
      ),
  };
  for (const type of TYPES) {
    for (const aim of ['cut', 'message', 'session', 'start'] as const) {
      const attributes = `method="post" enctype="${type}"`;
      vectors[`form, POST to ${aim}, ${type}`] = form(attributes, (aims) => aims[aim]);
    }
  }
  return vectors;
}

function anchors(): [name: string, vector: Vector][] {
  const attributes = [
    ...['', 'target="_blank"', 'target="_blank" rel="opener"', 'rel="noreferrer"', 'download'],
    ...['referrerpolicy="unsafe-url"', 'attributionsrc'],
  ];
  return attributes.map((more) => [
    `link, ${more || 'plain'}`,
    ({ start }) => page(`<a id="click" ${more} href="${start}">link</a>`),
  ]);
}

function redirects(): [name: string, vector: Vector][] {
  return REDIRECTS.flatMap((status): [string, Vector][] => [
    [`page that answers ${status}`, ({ start }) => ({ status, headers: { Location: start } })],
    [
      `page that answers ${status} to a third site`,
      ({ start, third }) => ({ status, headers: { Location: third.redirect(start, status) } }),
    ],
    [
      `page that answers ${status} to an allowed site`,
      ({ start, allowed }) => ({ status, headers: { Location: allowed.redirect(start, status) } }),
    ],
    [
      `form, POST, through a ${status}`,
      form('method="post" enctype="text/plain"', ({ cut, here }) => here.redirect(cut, status)),
    ],
    [
      `form, POST, through a ${status} of an allowed site`,
      form('method="post" enctype="text/plain"', ({ cut, allowed }) => allowed.redirect(cut, status)),
    ],
  ]);
}

/** Requests that show their answer in a window or a frame. */
export const NAVIGATIONS: Vectors = {
  ...forms(),
  ...Object.fromEntries([...anchors(), ...redirects()]),
  'link, ping': ({ start }) => page(`<a id="click" href="#here" ping="${start}">link</a>`),
  'link, ping to what POST changes': ({ cut }) => page(`<a id="click" href="#here" ping="${cut}">link</a>`),
  'link, attribution source': ({ start }) =>
    page(`<a id="click" href="#here" attributionsrc="${start}">link</a>`),
  'link in SVG': ({ start }) =>
    page(
      `<svg width="99" height="99"><a href="${start}"><rect id="click" width="99" height="99"/></a></svg>`,
    ),
  'link in MathML': ({ start }) => page(`<math><mtext id="click" href="${start}">link</mtext></math>`),
  'area of a map': ({ start }) =>
    page(
      `<map name="m"><area shape="default" href="${start}"></map><img id="click" usemap="#m" width="99" height="99" alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
    ),
  'window.open': ({ start }) => script(`open('${start}')`),
  'window.open, without opener': ({ start }) => script(`open('${start}', '', 'noopener,noreferrer')`),
  'window.open by a click': ({ start }) =>
    page(`<button id="click" onclick="window.open('${start}')">Go</button>`),
  'window.open, blank first': ({ start }) =>
    page(`<button id="click" onclick="window.open('about:blank').location = '${start}'">Go</button>`),
  'meta refresh': ({ start }) => page(`<meta http-equiv="refresh" content="0; url=${start}">`),
  'header Refresh': ({ start }) => page('', { Refresh: `0; url=${start}` }),
  'location, assigned': ({ start }) => script(`location = '${start}'`),
  'location, replaced': ({ start }) => script(`location.replace('${start}')`),
  'navigation.navigate': ({ start }) => script(`navigation.navigate('${start}')`),
  'history, back to it': ({ start, here }) => {
    const back = here.file('text/html', '<script>setTimeout(() => history.back(), 100)</script>');
    return script(`location = '${start}'; setTimeout(() => { location = '${back}' }, 300)`);
  },
  'base of a link': ({ start }) => page(`<base href="${start}"><a id="click" href="">link</a>`),
  'page in a blob: that leads there': ({ start }) =>
    script(
      `location = URL.createObjectURL(new Blob(['<script>location = "${start}"</' + 'script>'], { type: 'text/html' }))`,
    ),
};
