import { askPerson } from './form.js';

/** What each server wants to be brought, by its origin; '' where it wants nothing. In memory only. */
const tokens = new Map();

/**
 * The token of a server. Whoever asks for it waits until the person has given it, once for all.
 *
 * @param {string} origin
 * @returns {Promise<string>}
 */
export function tokenOf(origin = location.origin) {
  const token = tokens.get(origin) ?? findToken(origin);
  tokens.set(origin, token);
  return token;
}

/** The same as a request has it. */
export async function authorization() {
  const token = await tokenOf();
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

async function findToken(origin) {
  try {
    if ((await answerTo(origin)).status !== 401) return '';
  } catch {
    // A server that cannot be reached may want one when it can: whoever asks next is to find out.
    tokens.delete(origin);
    return '';
  }
  return askPerson(origin, (token) => problemWith(origin, token));
}

/** Why the server does not take the token, as a sentence; undefined when it does. */
async function problemWith(origin, token) {
  const response = await answerTo(origin, token);
  if (response.ok) return undefined;
  const { message } = await response.json();
  return message;
}

function answerTo(origin, token) {
  // What a token may be made of stays as it is; what a header cannot hold is no token, which the server then says.
  const headers = token === undefined ? {} : { Authorization: `Bearer ${encodeURI(token)}` };
  return fetch(`${origin}/api/session/sessions`, { headers });
}
