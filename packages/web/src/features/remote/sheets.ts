/**
 * For xterm, which writes style elements as it opens: the page's content security policy does not apply them (xterm.js
 * issue 4445), but constructed sheets it does. Its `documentOverride` would not do: its viewport, whose style is that of
 * the scrollbar, is given the window's document whatever was set.
 */
export function openWithSheets(open: () => void): void {
  const createElement = document.createElement.bind(document)
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value: (tag: string, options?: ElementCreationOptions) =>
      tag === 'style' ? sheetElement(createElement('style')) : createElement(tag, options),
  })
  try {
    open()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}

function sheetElement(element: HTMLStyleElement): HTMLStyleElement {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  Object.defineProperty(element, 'textContent', {
    set(css: string) {
      sheet.replaceSync(css)
    },
  })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    HTMLElement.prototype.remove.call(element)
  }
  return element
}
