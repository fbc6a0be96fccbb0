/**
 * For xterm, which writes style elements: the page's content security policy does not apply them (xterm.js issue 4445),
 * but constructed sheets it does.
 */
export function documentWithSheets(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement')
        return (tag: string) => (tag === 'style' ? sheetElement(target) : target.createElement(tag))
      const found: unknown = Reflect.get(target, name)
      if (typeof found !== 'function') return found
      const bound: unknown = found.bind(target)
      return bound
    },
  })
}

function sheetElement(owner: Document): HTMLStyleElement {
  const sheet = new CSSStyleSheet()
  owner.adoptedStyleSheets.push(sheet)
  const element = owner.createElement('style')
  Object.defineProperty(element, 'textContent', {
    set(css: string) {
      sheet.replaceSync(css)
    },
  })
  element.remove = () => {
    owner.adoptedStyleSheets = owner.adoptedStyleSheets.filter((one) => one !== sheet)
    HTMLElement.prototype.remove.call(element)
  }
  return element
}
