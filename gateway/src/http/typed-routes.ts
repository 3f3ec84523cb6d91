import ajvCompiler from '@fastify/ajv-compiler';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';

/** Payloads must match the contract exactly: no coercion, no silently dropped fields. */
export const VALIDATION = { coerceTypes: false, removeAdditional: false } as const;

/**
 * Compiles each of the gateway's own schemas once in a process, however many servers it has, and takes them for valid:
 * both were a large part of a start.
 */
const compile = ajvCompiler()({}, { customOptions: { ...VALIDATION, validateSchema: false } });

/**
 * Returns `app` for routes with schemas of the gateway, which are constants of modules: every schema that was ever
 * compiled is kept.
 */
export function typedRoutes(app: FastifyInstance) {
  return app.setValidatorCompiler(compile).withTypeProvider<TypeBoxTypeProvider>();
}
