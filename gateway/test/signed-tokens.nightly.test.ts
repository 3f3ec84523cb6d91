import { test } from 'node:test';
import { expectOneNumber } from './support/documented-token.ts';

for (const [language, command] of [
  ['python', 'python3'],
  ['php', 'php'],
] as const) {
  test(`a user for one number is signed with ${command} as the documentation says`, (t) =>
    expectOneNumber(t, language, command));
}
