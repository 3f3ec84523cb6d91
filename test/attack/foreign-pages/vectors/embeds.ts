import { type Aim, page, REDIRECTS, script, type Vector, type Vectors } from './vector.ts';

/** Markup by name; `TARGET` is replaced by the URL. */
const MARKUP: Readonly<Record<string, string>> = {
  frame: '<iframe src="TARGET"></iframe>',
  'frame, lazy': '<iframe loading="lazy" src="TARGET"></iframe>',
  'frame, without credentials': '<iframe credentialless src="TARGET"></iframe>',
  'frame, sandboxed': '<iframe sandbox src="TARGET"></iframe>',
  'frame, sandboxed with everything':
    '<iframe sandbox="allow-scripts allow-same-origin allow-forms allow-top-navigation allow-popups" src="TARGET"></iframe>',
  'frame in a srcdoc': `<iframe srcdoc='<iframe src="TARGET"></iframe>'></iframe>`,
  'frame that refreshes': `<iframe srcdoc='<meta http-equiv="refresh" content="0; url=TARGET">'></iframe>`,
  'frame, sandboxed, whose script calls': `<iframe sandbox="allow-scripts" srcdoc="<script>fetch('TARGET', { mode: 'no-cors' }); fetch('TARGET')</script>"></iframe>`,
  'frame, sandboxed, whose image calls': `<iframe sandbox srcdoc='<img src="TARGET"><img crossorigin src="TARGET">'></iframe>`,
  'frame of a data: whose script calls': `<iframe src="data:text/html,<script>fetch('TARGET',{mode:'no-cors'})</script>"></iframe>`,
  object: '<object data="TARGET"></object>',
  'object of an image': '<object type="image/png" data="TARGET"></object>',
  embed: '<embed src="TARGET">',
  'embed of a page': '<embed type="text/html" src="TARGET">',
  portal: '<portal src="TARGET"></portal>',
  image: '<img src="TARGET">',
  'image, crossorigin': '<img crossorigin src="TARGET">',
  'image, crossorigin with credentials': '<img crossorigin="use-credentials" src="TARGET">',
  'image, lazy': '<img loading="lazy" src="TARGET">',
  'image, srcset': '<img srcset="TARGET 1x, TARGET 2x">',
  'image, srcset and crossorigin': '<img crossorigin srcset="TARGET 1x, TARGET 2x">',
  'image of a picture': '<picture><source srcset="TARGET"><img></picture>',
  'image with attribution': '<img attributionsrc src="TARGET">',
  'image, attribution source': '<img attributionsrc="TARGET" src="data:,">',
  'image of an input': '<input type="image" src="TARGET">',
  'image of a body': '<body background="TARGET">',
  'image of a table': '<table background="TARGET"><tr><td background="TARGET">text</td></tr></table>',
  'image in SVG': '<svg><image href="TARGET"/></svg>',
  'use in SVG': '<svg><use href="TARGET#a"/></svg>',
  'filter image in SVG':
    '<svg><filter id="f"><feImage href="TARGET"/></filter><rect filter="url(#f)"/></svg>',
  'style sheet of a style': '<style>@import url("TARGET");</style>',
  'style sheet of a style, layered': '<style>@import "TARGET" layer(x) supports(display: grid);</style>',
  'font of a style':
    '<style>@font-face { font-family: f; src: url("TARGET") } p { font: 1em f }</style><p>text</p>',
  'background of a style': '<style>p { background: url("TARGET") }</style><p>text</p>',
  'background of an attribute': '<p style="background: image-set(url(TARGET) 1x)">text</p>',
  'mask of a style': '<p style="mask: url(TARGET); -webkit-mask: url(TARGET)">text</p>',
  'shape of a style': '<p style="float: left; shape-outside: url(TARGET)">text</p>',
  'filter of a style': '<p style="filter: url(TARGET#f)">text</p>',
  'clip path of a style': '<p style="clip-path: url(TARGET#c)">text</p>',
  'cursor of a style': '<p id="click" style="cursor: url(TARGET), auto">text</p>',
  'content of a style': '<style>p::before { content: url("TARGET") }</style><p>text</p>',
  'list marker of a style': '<ul style="list-style-image: url(TARGET)"><li>text</li></ul>',
  'border of a style': '<p style="border: 9px solid; border-image: url(TARGET) 3">text</p>',
  'binding of a style': '<p style="-moz-binding: url(TARGET#b); behavior: url(TARGET)">text</p>',
  video: '<video src="TARGET" preload="auto" autoplay muted></video>',
  'video, crossorigin': '<video crossorigin src="TARGET" preload="auto" autoplay muted></video>',
  'video of a source': '<video preload="auto"><source src="TARGET"></video>',
  'video of a playlist':
    '<video preload="auto"><source type="application/vnd.apple.mpegurl" src="TARGET"></video>',
  'poster of a video': '<video poster="TARGET"></video>',
  audio: '<audio src="TARGET" preload="auto" autoplay></audio>',
  'track of a video': '<video src="data:video/mp4;base64,AAAA"><track default src="TARGET"></video>',
  'track of a video, crossorigin':
    '<video crossorigin src="data:video/mp4;base64,AAAA"><track default kind="captions" src="TARGET"></video>',
  script: '<script src="TARGET"></script>',
  'script, crossorigin': '<script crossorigin src="TARGET"></script>',
  'script, async': '<script async src="TARGET"></script>',
  'script in SVG': '<svg><script href="TARGET"></script></svg>',
  'module script': '<script type="module" src="TARGET"></script>',
  'module script with credentials':
    '<script type="module" crossorigin="use-credentials" src="TARGET"></script>',
  'import of a module': '<script type="module">import "TARGET"</script>',
  'import of JSON': '<script type="module">import x from "TARGET" with { type: "json" }</script>',
  'import of a style sheet': '<script type="module">import x from "TARGET" with { type: "css" }</script>',
  'import of a mapped module':
    '<script type="importmap">{ "imports": { "x": "TARGET" } }</script><script type="module">import "x"</script>',
  'web bundle': '<script type="webbundle">{ "source": "TARGET", "resources": ["TARGET"] }</script>',
};

function markup(): [name: string, vector: Vector][] {
  return Object.entries(MARKUP).map(([name, html]) => [
    name,
    ({ start }) => page(html.replaceAll('TARGET', start)),
  ]);
}

/** The same, added later or in another kind of document. */
const OTHERS: Vectors = {
  'frame of a frameset': ({ start }) => ({
    type: 'text/html',
    body: `<frameset cols="*"><frame src="${start}"></frameset>`,
  }),
  'frame by window.open': ({ start }) =>
    page(`<iframe name="f"></iframe><script>open('${start}', 'f')</script>`),
  'fenced frame with a configuration': ({ start }) =>
    script(
      `const frame = document.createElement('fencedframe'); frame.config = new FencedFrameConfig('${start}'); document.body.append(frame)`,
    ),
  'image by script': ({ start }) => script(`new Image().src = '${start}'`),
  'font by script': ({ start }) => script(`new FontFace('f', 'url(${start})').load()`),
  'artwork of a media session': ({ start }) =>
    script(`navigator.mediaSession.metadata = new MediaMetadata({ artwork: [{ src: '${start}' }] })`),
  'icon of a notification': ({ start }) => script(`new Notification('x', { icon: '${start}' })`),
  'style sheet of XML': ({ start }) => ({
    type: 'application/xml',
    body: `<?xml-stylesheet type="text/css" href="${start}"?><x/>`,
  }),
  'transformation of XML': ({ start }) => ({
    type: 'application/xml',
    body: `<?xml-stylesheet type="text/xsl" href="${start}"?><x/>`,
  }),
  'document() of a transformation': ({ start, here }) => ({
    type: 'application/xml',
    body: `<?xml-stylesheet type="text/xsl" href="${here.file(
      'text/xsl',
      `<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:import href="${start}"/><x:template match="/"><x:copy-of select="document('${start}')"/></x:template></x:stylesheet>`,
    )}"?><x/>`,
  }),
  'entity of XML': ({ start }) => ({
    type: 'application/xml',
    body: `<!DOCTYPE x SYSTEM "${start}" [<!ENTITY e SYSTEM "${start}">]><x>&e;</x>`,
  }),
  'SVG document': ({ start }) => ({
    type: 'image/svg+xml',
    body: `<svg xmlns="http://www.w3.org/2000/svg"><image href="${start}"/><script href="${start}"/></svg>`,
  }),
  'icon of a manifest': ({ start, here }) => {
    const body = JSON.stringify({ name: 'x', icons: [{ src: start, sizes: '192x192' }], start_url: start });
    return page(`<link rel="manifest" href="${here.file('application/manifest+json', body)}">`);
  },
};

/** The same through a redirect of another site. */
const THROUGH = ['here', 'third', 'allowed'] as const;
const REDIRECTED = [
  'frame',
  'image',
  'image, crossorigin',
  'script',
  'style sheet of a style',
  'video',
] as const;

function redirected(): [name: string, vector: Vector][] {
  return REDIRECTED.flatMap((name) =>
    THROUGH.flatMap((site) =>
      REDIRECTS.map((status): [string, Vector] => [
        `${name}, through a ${status} of ${site}`,
        (aim: Aim) => page((MARKUP[name] ?? '').replaceAll('TARGET', aim[site].redirect(aim.start, status))),
      ]),
    ),
  );
}

/** Requests for what becomes part of the page. */
export const EMBEDS: Vectors = { ...Object.fromEntries([...markup(), ...redirected()]), ...OTHERS };
