/** What had the focus is gone, as on another page. */
export const focusMain = (): void => mainOf()?.focus({ preventScroll: true })

const mainOf = () => document.querySelector('main')

/** As the page is first known: what its title tells later, such as how far something is, is said elsewhere. */
export function nameMain(title: string): void {
  const main = mainOf()
  if (!main || isNamed(main)) return
  main.dataset['path'] = location.pathname
  main.setAttribute('aria-label', title)
  if (document.activeElement !== main) return
  // Led there before anybody knew the name: only what gets the focus is said.
  main.blur()
  focusMain()
}

/** Another page is there, perhaps without its name yet. */
export function enterMain(): void {
  const main = mainOf()
  if (main && !isNamed(main)) main.removeAttribute('aria-label')
  focusMain()
}

const isNamed = (main: HTMLElement) => main.dataset['path'] === location.pathname
