#!/usr/bin/env node

// What packages print by it has tokens, codes and passwords in it. They read it as soon as they are loaded.
delete process.env.DEBUG;

await import('./main.ts');

export {};
