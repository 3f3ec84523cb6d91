import { page, type Vectors } from './vector.ts';

/** An image that the policies below block. */
const VIOLATION = '<img src="http://127.0.0.1:9/">';

/** Reports that browsers send by themselves. */
export const REPORTS: Vectors = {
  'report-uri of a policy': ({ start }) =>
    page(VIOLATION, { 'Content-Security-Policy': `img-src 'none'; report-uri ${start}` }),
  'report-uri of a policy, to what POST changes': ({ cut }) =>
    page(VIOLATION, { 'Content-Security-Policy': `img-src 'none'; report-uri ${cut}` }),
  'report-to of a policy': ({ cut }) =>
    page(VIOLATION, {
      'Reporting-Endpoints': `x="${cut}"`,
      'Content-Security-Policy': "img-src 'none'; report-to x",
    }),
  'Report-To': ({ cut }) =>
    page(VIOLATION, {
      'Report-To': JSON.stringify({ group: 'x', max_age: 60, endpoints: [{ url: cut }] }),
      'Content-Security-Policy': "img-src 'none'; report-to x",
    }),
  'network errors': ({ cut, here }) =>
    page(`<img src="${here.origin}/none">`, {
      'Report-To': JSON.stringify({ group: 'x', max_age: 60, endpoints: [{ url: cut }] }),
      NEL: JSON.stringify({ report_to: 'x', max_age: 60, failure_fraction: 1, success_fraction: 1 }),
    }),
  'embedder policy': ({ cut }) =>
    page(VIOLATION, {
      'Reporting-Endpoints': `x="${cut}"`,
      'Cross-Origin-Embedder-Policy': 'require-corp; report-to="x"',
      'Cross-Origin-Opener-Policy': 'same-origin; report-to="x"',
    }),
  'default endpoint': ({ cut }) =>
    page('<script>document.write("x"); new XMLHttpRequest().open("GET", "/", false)</script>', {
      'Reporting-Endpoints': `default="${cut}"`,
    }),
};
