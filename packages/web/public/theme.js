// Runs before the first paint, so that a dark page does not start with a white flash. The values are those of the theme.
;(function () {
  var mode = localStorage.getItem('theme-mode')
  var dark = mode === 'dark' || (mode === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
  document.documentElement.style.background = dark ? '#0e1018' : '#ffffff'
})()
