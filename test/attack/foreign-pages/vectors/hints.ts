import { type Aim, page, type Vector, type Vectors } from './vector.ts';

/** A page with speculation rules, and a link for those that wait for a touch. */
function rules(kind: string, rule: (aim: Aim) => object): Vector {
  return (aim) => {
    const json = JSON.stringify({ [kind]: [rule(aim)] });
    return page(`<a id="click" href="${aim.start}">link</a><script type="speculationrules">${json}</script>`);
  };
}

function speculation(): [name: string, vector: Vector][] {
  const kinds = ['prefetch', 'prerender', 'prerender_until_script'];
  const lists: Record<string, object> = {
    plain: {},
    eager: { eagerness: 'eager' },
    moderate: { eagerness: 'moderate' },
    conservative: { eagerness: 'conservative' },
    'no referrer': { referrer_policy: 'no-referrer' },
    'new window': { target_hint: '_blank' },
    'any search': { expects_no_vary_search: 'params' },
    anonymous: { requires: ['anonymous-client-ip-when-cross-origin'] },
  };
  const documents: Record<string, object> = {
    immediate: { where: { selector_matches: 'a' }, eagerness: 'immediate' },
    eager: { where: { href_matches: '*://*:*/*' }, eagerness: 'eager' },
    moderate: { where: { selector_matches: 'a' }, eagerness: 'moderate' },
    conservative: { where: { selector_matches: 'a' }, eagerness: 'conservative' },
  };
  return kinds.flatMap((kind) => [
    ...Object.entries(lists).map(([name, more]): [string, Vector] => [
      `${kind}: list, ${name}`,
      rules(kind, ({ start }) => ({ source: 'list', urls: [start], ...more })),
    ]),
    ...Object.entries(documents).map(([name, rule]): [string, Vector] => [
      `${kind}: document, ${name}`,
      rules(kind, () => ({ source: 'document', ...rule })),
    ]),
    [
      `${kind}: list, through a redirect`,
      rules(kind, ({ start, here }) => ({ source: 'list', urls: [here.redirect(start)] })),
    ],
    [
      `${kind}: list, through a third site`,
      rules(kind, ({ start, third }) => ({ source: 'list', urls: [third.redirect(start)] })),
    ],
    [
      `${kind}: list, through an allowed site`,
      rules(kind, ({ start, allowed }) => ({ source: 'list', urls: [allowed.redirect(start)] })),
    ],
  ]);
}

function links(): [name: string, vector: Vector][] {
  const relations = [
    ...['prefetch', 'prerender', 'next', 'subresource', 'dns-prefetch', 'preconnect', 'import', 'pingback'],
    ...['modulepreload', 'stylesheet', 'alternate stylesheet', 'icon', 'shortcut icon', 'apple-touch-icon'],
    ...['manifest', 'search', 'compression-dictionary', 'canonical', 'alternate', 'payment-method-manifest'],
  ];
  const kinds = [
    ...['fetch', 'image', 'script', 'style', 'font', 'track', 'video', 'audio', 'document', 'worker', 'json'],
  ];
  const all = [
    ...relations.map((rel) => `rel="${rel}"`),
    ...['document', 'script', 'fetch'].map((as) => `rel="prefetch" as="${as}"`),
    ...kinds.map((as) => `rel="preload" as="${as}"`),
  ];
  return all.flatMap((attributes) =>
    ['', ' crossorigin', ' crossorigin="use-credentials"'].map((cors): [string, Vector] => [
      `link ${attributes}${cors}`,
      ({ start }) =>
        page(`<link ${attributes}${cors} type="${typeOf(attributes)}" href="${start}"><p>text</p>`),
    ]),
  );
}

function typeOf(attributes: string): string {
  if (attributes.includes('search')) return 'application/opensearchdescription+xml';
  return attributes.includes('style') ? 'text/css' : '';
}

/** Requests that a page's own headers cause. */
export const HEADERS: Vectors = {
  'header Link, prefetch': ({ start }) => page('', { Link: `<${start}>; rel=prefetch` }),
  'header Link, preload of an image': ({ start }) => page('', { Link: `<${start}>; rel=preload; as=image` }),
  'header Link, preload of a fetch': ({ start }) =>
    page('', { Link: `<${start}>; rel=preload; as=fetch; crossorigin` }),
  'header Link, modulepreload': ({ start }) => page('', { Link: `<${start}>; rel=modulepreload` }),
  'header Link, style sheet': ({ start }) => page('', { Link: `<${start}>; rel=stylesheet` }),
  'header Speculation-Rules': ({ start, here }) => {
    const body = JSON.stringify({ prefetch: [{ source: 'list', urls: [start] }] });
    const rules = here.file('application/speculationrules+json', body);
    return page('', { 'Speculation-Rules': `"${rules}"` });
  },
  'header Speculation-Rules that is the target': ({ start }) =>
    page('', { 'Speculation-Rules': `"${start}"` }),
};

/** Requests that a browser makes in advance: by speculation rules, or by links in the head. */
export const SPECULATION: Vectors = Object.fromEntries(speculation());
export const LINKS: Vectors = Object.fromEntries(links());
