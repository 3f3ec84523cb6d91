import { LinkPage } from './page.ts';
import { View } from './screen.ts';
import * as texts from './texts.ts';

/*
 * The link's token is the fragment, which browsers send to no server, and in no referrer. It stays in the address bar:
 * whoever reloads the page within the link's ten minutes gets it again.
 */
const token = location.hash.slice(1);
// Another link that is opened in this tab would change the fragment alone.
addEventListener('hashchange', () => location.reload());

const view = new View();
if (token === '') {
  const part = { kind: 'over', good: false, text: texts.noToken, next: '' } as const;
  view.render({ numero: '', name: '', part, lost: '', left: '' });
} else {
  new LinkPage(token, view);
}
