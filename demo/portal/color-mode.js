// A render-blocking classic script: Bootstrap needs the attribute before the first paint.
document.documentElement.dataset.bsTheme = matchMedia('(prefers-color-scheme: dark)').matches
  ? 'dark'
  : 'light';
