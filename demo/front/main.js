import { startCopyButton } from './copy-button.js';
import { startThemes } from './themes.js';

const byId = (id) => document.getElementById(id);

startCopyButton(byId('copy'), byId('copy-text'), byId('copied'), byId('snippet'));
startThemes(document.querySelectorAll('[name="tema"]'), byId('dark'));

// What a narrow window keeps behind one button.
const toggle = byId('bar-toggle');
toggle.addEventListener('click', () => {
  toggle.ariaExpanded = String(toggle.ariaExpanded !== 'true');
});
