/** `node test/support/ensure-proxies.mjs`: installs the proxies of the documentation, nginx and Caddy, if they are missing. */
import { findCaddy, findNginx } from './find-proxies.mjs';
import { findOrInstall } from './install-browser.mjs';

const PROXIES = [
  [findNginx, 'nginx', 'nginx-light', 'NGINX_PATH'],
  [findCaddy, 'Caddy', 'caddy', 'CADDY_PATH'],
];

try {
  for (const [find, what, packages, variable] of PROXIES) {
    const todo = `install ${what}, or set ${variable} to one`;
    console.log(`Proxy: ${findOrInstall(find, { what, debian: packages, ubuntu: packages, todo })}`);
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
