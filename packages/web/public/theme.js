// Runs before the first paint, so that a dark page does not start with a white flash. The values are those of the theme;
// its colours, for what stands in the HTML, are those that were shown last in this mode, below whatever the client writes.
;(function () {
  var mode = localStorage.getItem('theme-mode')
  var dark = mode === 'dark' || (mode === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
  document.documentElement.style.background = dark ? '#0e1018' : '#ffffff'
  var properties = localStorage.getItem(dark ? 'theme-dark' : 'theme-light')
  if (!properties) return
  var sheet = new CSSStyleSheet()
  sheet.replaceSync('@layer kept { :root { ' + properties + ' } }')
  document.adoptedStyleSheets = [sheet]
})()
