import { askPerson } from './form.js';

/** The token of each server, by its origin; '' if it needs none. In memory only. */
const tokens = new Map();

/**
 * Returns the token of a server. All callers wait until the person has entered it, once.
 *
 * @param {string} origin
 * @returns {Promise<string>}
 */
export function tokenOf(origin = location.origin) {
  const token = tokens.get(origin) ?? findToken(origin);
  tokens.set(origin, token);
  return token;
}

/** Returns the token as request headers. */
export async function authorization() {
  const token = await tokenOf();
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

async function findToken(origin) {
  try {
    if ((await answerTo(origin)).status !== 401) return '';
  } catch {
    // It may need a token once it can be reached: the next caller asks again.
    tokens.delete(origin);
    return '';
  }
  return askPerson(origin, (token) => problemWith(origin, token));
}

/** Returns why the server rejects the token, as a sentence; undefined if it accepts it. */
async function problemWith(origin, token) {
  const response = await answerTo(origin, token);
  if (response.ok) return undefined;
  const { message } = await response.json();
  return message;
}

function answerTo(origin, token) {
  // Encoding does not change a valid token. Others may not fit in a header, and the server rejects them.
  const headers = token === undefined ? {} : { Authorization: `Bearer ${encodeURI(token)}` };
  return fetch(`${origin}/api/session/sessions`, { headers });
}
