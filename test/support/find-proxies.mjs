import { findBrowser } from './find-browser.mjs';

const NOWHERE = { macPlaces: [], windowsPlaces: [] };

/** The path of nginx, or undefined where there is none; NGINX_PATH decides. */
export function findNginx() {
  return findBrowser({
    variable: 'NGINX_PATH',
    names: ['nginx'],
    probe: '-v',
    otherPlaces: ['/usr/sbin/nginx'],
    ...NOWHERE,
  });
}

/** The path of Caddy, or undefined where there is none; CADDY_PATH decides. */
export function findCaddy() {
  return findBrowser({
    variable: 'CADDY_PATH',
    names: ['caddy'],
    probe: 'version',
    otherPlaces: [],
    ...NOWHERE,
  });
}
