/** Loaded before the gateway: ends it when it loads PostgreSQL's client. */
import { register } from 'node:module';

const dead = `console.error('PostgreSQL is loaded'); process.exit(3);`;
const hooks = `
  const url = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(dead)}`)};
  export function resolve(specifier, context, next) {
    return specifier === 'pg' ? { url, shortCircuit: true } : next(specifier, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
