const root = document.documentElement;
const byId = (id) => document.getElementById(id);

for (const input of document.getElementsByName('theme')) {
  input.style.setProperty('--theme', input.value || 'initial');
  input.addEventListener('change', () => root.style.setProperty('--theme', input.value));
}

// A dropped session is seen from another tab, too.
const { title } = document;
addEventListener('wo-attention', ({ detail: { dropped } }) => {
  document.title = dropped ? `(${dropped}) ${title}` : title;
});

const dark = byId('dark');
dark.ariaPressed = String(matchMedia('(prefers-color-scheme: dark)').matches);
dark.addEventListener('click', () => {
  dark.ariaPressed = String(dark.ariaPressed === 'false');
  root.style.colorScheme = dark.ariaPressed === 'true' ? 'dark' : 'light';
});
// What is a sheet on a phone is part of the bar on a wider window.
matchMedia('(width < 640px)').addEventListener('change', () => byId('more').hidePopover());

byId('own-page-open').addEventListener('click', () => byId('own-page').showModal());

for (const button of document.querySelectorAll('figcaption button')) {
  const code = button.closest('figure').querySelector('code');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // A page without TLS has no clipboard.
      getSelection().selectAllChildren(code);
      document.execCommand('copy');
    }
    for (const place of [byId('copied'), button.lastChild]) place.textContent = 'Copiado';
    setTimeout(() => {
      button.lastChild.textContent = 'Copiar';
      byId('copied').textContent = '';
    }, 2_000);
  });
}
