/** Finds an installed browser. Plain Node, so that it runs before anything is built. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of a browser, or undefined where there is none. If the environment variable is set, nothing else is tried.
 * @param {{ variable: string, names: string[], macPlaces: string[], windowsPlaces: string[], otherPlaces: string[], probe?: string }} browser
 *   `probe` is an option with which it prints something and exits
 */
export function findBrowser({ variable, probe = '--version', ...browser }) {
  const works = (path) => runs(path, probe);
  const chosen = process.env[variable];
  if (!chosen) return candidates(browser).find(works);
  if (!existsSync(chosen)) throw new Error(`${variable} is ${chosen}, and there is no such file.`);
  if (!works(chosen)) throw new Error(`${variable} is ${chosen}, which does not run as a browser.`);
  return chosen;
}

function candidates({ names, ...places }) {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name + suffix)));
  return [...onPath, ...usualPlaces(places)];
}

function usualPlaces({ macPlaces, windowsPlaces, otherPlaces }) {
  if (process.platform === 'darwin') {
    return macPlaces.map((place) => `/Applications/${place}`);
  }
  if (process.platform === 'win32') {
    const { PROGRAMFILES, 'PROGRAMFILES(X86)': programFilesX86, LOCALAPPDATA } = process.env;
    return [PROGRAMFILES, programFilesX86, LOCALAPPDATA]
      .filter((root) => root !== undefined)
      .flatMap((root) => windowsPlaces.map((place) => join(root, place)));
  }
  return otherPlaces;
}

/** Whether a file is a browser: Ubuntu's `chromium-browser` may be a script that only says to install a snap. */
function runs(path, probe) {
  if (!existsSync(path)) return false;
  // On Windows such an option opens a window.
  if (process.platform === 'win32') return true;
  try {
    execFileSync(path, [probe], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
