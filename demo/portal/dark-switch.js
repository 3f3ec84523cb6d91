/** The switch decides for the whole page; the panel follows, since the colour scheme is inherited. */
export function startDarkSwitch(input) {
  const { dataset } = document.documentElement;
  input.checked = dataset.bsTheme === 'dark';
  input.addEventListener('change', () => {
    dataset.bsTheme = input.checked ? 'dark' : 'light';
  });
}
