/** Makes `import card from './card.css'` give the text of the file, as in the build. */
export function cssTextPlugin() {
  return {
    name: 'css-text',
    // The query marks an import: a page may link to the same style sheet.
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
