import assert from 'node:assert/strict';
import { test } from 'node:test';
import ajvCompiler from '@fastify/ajv-compiler';
import { createGateway } from '../src/gateway.ts';
import { VALIDATION } from '../src/http/server.ts';
import { call } from './support/gateway.ts';

test("the gateway's own schemas are valid, which no start checks, and the same objects in every gateway", async (t) => {
  const schemasOf = async () => {
    const gateway = createGateway({ port: 0, sessions: [] });
    t.after(() => gateway.close());
    const schemas = new Set<unknown>();
    gateway.app.addHook('onRoute', ({ schema }) => {
      for (const part of [schema?.params, schema?.querystring, schema?.body]) if (part) schemas.add(part);
    });
    await gateway.listen();
    return schemas;
  };
  const schemas = await schemasOf();
  assert.ok(schemas.size > 5);
  const compile = ajvCompiler()({}, { customOptions: VALIDATION });
  for (const schema of schemas) compile({ schema, method: '', url: '', httpPart: 'body' });
  assert.deepEqual(
    [...(await schemasOf())].map((schema) => schemas.has(schema)),
    Array(schemas.size).fill(true),
  );
});

test('routes that a program adds have schemas of their own in each gateway', async (t) => {
  for (const type of ['string', 'boolean']) {
    const gateway = createGateway({ port: 0, sessions: [] });
    t.after(() => gateway.close());
    const body = { $id: 'added', type: 'object', properties: { value: { type } } };
    const headers = { type: 'object', required: ['X-Added'] };
    gateway.app.post('/added', { schema: { body, headers } }, async () => ({}));
    await gateway.listen();
    const statusOf = async (value: unknown, sent: Record<string, string>) =>
      (await call(gateway, '/added', { method: 'POST', body: { value }, headers: sent })).status;
    assert.equal(await statusOf('x', { 'X-Added': '1' }), type === 'string' ? 200 : 400);
    assert.equal(await statusOf(true, { 'X-Added': '1' }), type === 'boolean' ? 200 : 400);
    assert.equal(await statusOf(type === 'string' ? 'x' : true, {}), 400);
  }
});
