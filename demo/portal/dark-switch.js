/** Makes the switch set the page's colour scheme, which the panel inherits. */
export function startDarkSwitch(input) {
  const { dataset } = document.documentElement;
  input.checked = dataset.bsTheme === 'dark';
  input.addEventListener('change', () => {
    dataset.bsTheme = input.checked ? 'dark' : 'light';
  });
}
