// Where cookies are blocked, browsers throw at each look at what a site keeps: this page then keeps it while it is open.
;(function () {
  function keptHere() {
    var kept = new Map()
    return {
      getItem: function (key) {
        return kept.has(key) ? kept.get(key) : null
      },
      setItem: function (key, value) {
        kept.set(key, String(value))
      },
      removeItem: function (key) {
        kept.delete(key)
      },
    }
  }
  ;['localStorage', 'sessionStorage'].forEach(function (name) {
    try {
      if (window[name]) return
    } catch {}
    Object.defineProperty(window, name, { value: keptHere() })
  })
})()

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

// While processes of two versions run, the script that this page names may be at the other one: nothing of the client
// runs then, so the page is asked for again, for a minute.
;(function () {
  var since
  addEventListener(
    'error',
    function (event) {
      if (event.target.type !== 'module') return
      since = Number(sessionStorage.getItem('page-again'))
      if (Date.now() - since > 600000) sessionStorage.setItem('page-again', (since = Date.now()))
      later()
    },
    true,
  )
  function later() {
    if (Date.now() - since < 60000) setTimeout(again, 1000 + Math.random() * 1000)
  }
  function again() {
    fetch('/healthz').then(function (reply) {
      if (reply.ok) location.reload()
      else later()
    }, later)
  }
})()

// A browser that translates a page puts elements where its texts were. React, which takes a text away or something in
// before one, would throw there and lose the page, with what it was about to tell.
;(function () {
  var node = Node.prototype
  var remove = node.removeChild
  var insert = node.insertBefore
  node.removeChild = function (child) {
    return child.parentNode === this ? remove.call(this, child) : child
  }
  node.insertBefore = function (child, before) {
    return insert.call(this, child, before && before.parentNode === this ? before : null)
  }
})()

// A page that comes back as it was left has heard nothing since, such as that its session ended in another tab.
addEventListener('pageshow', function (event) {
  if (event.persisted) dispatchEvent(new StorageEvent('storage', { key: null }))
})
