import { createManifest } from './manifest.mjs';
import { cssData, htmlData } from './vs-code-data.mjs';

/** Rollup plugin: emits the element's metadata for editors and catalogues. */
export const metadata = {
  name: 'metadata',
  async generateBundle() {
    const manifest = await createManifest();
    const files = {
      'custom-elements.json': manifest,
      'vscode.html-custom-data.json': htmlData(manifest),
      'vscode.css-custom-data.json': cssData(manifest),
    };
    for (const [fileName, data] of Object.entries(files)) {
      this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify(data, null, 2)}\n` });
    }
  },
};
