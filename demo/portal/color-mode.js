// A classic script that the page waits for: Bootstrap reads the attribute before the first paint.
document.documentElement.dataset.bsTheme = matchMedia('(prefers-color-scheme: dark)').matches
  ? 'dark'
  : 'light';
