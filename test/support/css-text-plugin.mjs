/** `import card from './card.css'` gives the text of the file, as it does in the build. */
export function cssTextPlugin() {
  return {
    name: 'css-text',
    // The query tells an import from a style sheet that a page links to.
    transformImport({ source }) {
      return source.endsWith('.css') ? `${source}?text` : undefined;
    },
    resolveMimeType(context) {
      return isImported(context) ? 'js' : undefined;
    },
    transform(context) {
      return isImported(context) ? `export default ${JSON.stringify(context.body)};` : undefined;
    },
  };
}

function isImported(context) {
  return context.path.endsWith('.css') && context.query.text !== undefined;
}
