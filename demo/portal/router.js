const HOME = 'sesiones';

const view = document.getElementById('view');
const menu = document.getElementById('menu');
const tabs = document.getElementById('tabs');

/**
 * Shows the view that the address names, now and whenever it changes. A panel is mounted by being cloned into
 * the page, and leaves its server by being removed from it: there is nothing else to call.
 *
 * @param prepare gets the new view's content before it is in the page
 * @param shown is called when it is there
 */
export function startRouter(prepare, shown) {
  const show = () => {
    // The skip link's own address names no view.
    if (location.hash === '#content') return;
    const template = templateOf(location.hash.slice(1)) ?? templateOf(HOME);
    const content = document.importNode(template.content, true);
    prepare(content);
    view.replaceChildren(content);
    markPlace(template);
    // Only as a popover, on a narrow window, can it be open.
    if (menu.matches(':popover-open')) menu.hidePopover();
    // At once, although the framework's sheet asks for gliding.
    scrollTo({ top: 0, behavior: 'instant' });
    shown(view);
  };
  addEventListener('hashchange', show);
  // The menu of a narrow window has no place on a wide one.
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
