const { dataset } = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/**
 * Makes the chips set the theme, and the button the colour scheme, of the page and its panel. Both are kept in the
 * address alone, so that a link shows what one sees.
 *
 * @param {NodeListOf<HTMLInputElement>} chips
 * @param {HTMLButtonElement} dark
 */
export function startThemes(chips, dark) {
  const show = () => {
    const choice = chosen();
    const chip = [...chips].find(({ value }) => value === choice.get('tema')) ?? chips[0];
    chip.checked = true;
    dataset.theme = chip.value;
    const scheme = SCHEMES[choice.get('modo')];
    if (scheme) dataset.scheme = scheme;
    else delete dataset.scheme;
    dark.ariaPressed = String(scheme ? scheme === 'dark' : prefersDark.matches);
  };

  for (const chip of chips) chip.addEventListener('change', () => choose('tema', chip.value));
  dark.addEventListener('click', () => choose('modo', dark.ariaPressed === 'true' ? 'claro' : 'oscuro'));
  prefersDark.addEventListener('change', show);
  addEventListener('hashchange', show);
  show();

  function choose(name, value) {
    const choice = chosen();
    choice.set(name, value);
    history.replaceState(history.state, '', `#${choice}`);
    show();
  }
}

const SCHEMES = { claro: 'light', oscuro: 'dark' };

/** What the address says, such as `#tema=oceano&modo=oscuro`. */
function chosen() {
  const hash = location.hash.slice(1);
  return new URLSearchParams(hash.includes('=') ? hash : '');
}
