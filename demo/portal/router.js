const HOME = 'sesiones';

const view = document.getElementById('view');
const menu = document.getElementById('menu');
const tabs = document.getElementById('tabs');

/**
 * Shows the view of the URL's hash, now and whenever it changes. Cloning a panel into the page mounts it, and removing
 * it disconnects it: nothing else has to be called.
 *
 * @param prepare receives the new view's content before it is in the page
 * @param shown called when it is in the page
 */
export function startRouter(prepare, shown) {
  const show = () => {
    // The skip link's hash is not a view.
    if (location.hash === '#content') return;
    const template = templateOf(location.hash.slice(1)) ?? templateOf(HOME);
    const content = document.importNode(template.content, true);
    prepare(content);
    view.replaceChildren(content);
    markPlace(template);
    // It is open only as a popover, on a narrow window.
    if (menu.matches(':popover-open')) menu.hidePopover();
    // At once, although Bootstrap's style sheet sets smooth scrolling.
    scrollTo({ top: 0, behavior: 'instant' });
    shown(view);
  };
  addEventListener('hashchange', show);
  // On a wide window the menu is a column, not a popover.
  matchMedia('(width >= 992px)').addEventListener('change', () => menu.hidePopover());
  show();
}

function templateOf(name) {
  return document.querySelector(`template[id="${CSS.escape(name)}"]`);
}

function markPlace({ id, dataset: { section, title } }) {
  document.title = `${title} · Intranet de Altamar`;
  document.getElementById('title').textContent = title;
  document.getElementById('breadcrumb').textContent =
    section === 'whatsapp' ? 'Atención al cliente' : 'Empresa';
  tabs.hidden = section !== 'whatsapp';
  for (const link of menu.querySelectorAll('a')) mark(link, link.dataset.section === section);
  for (const link of tabs.querySelectorAll('a')) mark(link, link.hash === `#${id}`);
}

function mark(link, current) {
  link.classList.toggle('active', current);
  if (current) link.setAttribute('aria-current', 'page');
  else link.removeAttribute('aria-current');
}
