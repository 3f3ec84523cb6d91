/**
 * A middleware: in place of a script that the server lacks or cannot compile, sends one that fails the test at once, which
 * would wait for what the script makes.
 */
export async function missingScripts(context, next) {
  await next();
  if (context.get('sec-fetch-dest') !== 'script' || context.status < 400) return;
  const sentence = `The server has no ${context.path}: ${context.status}`;
  context.status = 200;
  context.type = 'js';
  // It may be the script of a frame: tests only hear the errors of their own page.
  context.body = `{ const error = new Error(${JSON.stringify(sentence)}); top.reportError(error); throw error; }`;
}
