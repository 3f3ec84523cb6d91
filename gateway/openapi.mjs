import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import fastify from 'fastify';
import { extensionRoutes, sessionRoutes } from './dist/gateway/src/http/routes.js';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The name and purpose of each call. */
const CALLS = {
  'GET /api/session/sessions': ['listSessions', 'Lists the sessions, or those that can send'],
  'GET /api/session/levanta/:numero': ['startSession', 'Starts or restarts a session; adds it if it is new'],
  'DELETE /api/session/:numero': ['deleteSession', 'Unlinks and deletes a session'],
  'POST /api/message': ['sendMessage', 'Sends a text'],
  'PUT /api/session/:numero/details': [
    'changeDetails',
    'Changes label, group and proxy; returns the details',
  ],
  'GET /api/session/:numero/history': ['listHistory', 'Lists what happened, the newest first'],
  'POST /api/session/:numero/unlink': ['unlinkPhone', 'Unlinks the phone; the session stays'],
  'POST /api/session/:numero/pairing': ['createCode', 'Returns a code to type on the phone'],
  'GET /api/session/:numero/passkey': [
    'getPasskeyChallenge',
    'Returns what the passkey of the account has to sign',
  ],
  'POST /api/session/:numero/passkey': [
    'continueWithPasskey',
    'Goes on with the signature, or says that the codes are the same',
  ],
  'POST /api/session/:numero/link': ['createLink', 'Creates a link for the person with the phone'],
  'DELETE /api/session/:numero/link': ['revokeLink', 'Revokes that link'],
};

/** Returns the contract's calls as OpenAPI 3.1, from the schemas of the built routes; no handler runs. */
export async function openApi() {
  const app = fastify({ exposeHeadRoutes: false });
  await app.register(swagger, {
    transform: ({ schema, url, route }) => {
      const [operationId, summary] = CALLS[`${route.method} ${url}`];
      return { schema: { ...schema, operationId, summary }, url };
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gateway for <whatsapp-operadores>',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: 'http://127.0.0.1:8080' }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      // Without --token, the gateway needs none.
      security: [{ token: [] }, {}],
    },
  });
  const routes = async (api) => {
    sessionRoutes(api);
    extensionRoutes(api);
  };
  await app.register(routes, { prefix: '/api' });
  await app.ready();
  const api = app.swagger();
  // @fastify/swagger requires every body.
  api.paths['/api/session/{numero}/passkey'].post.requestBody.required = false;
  return api;
}
