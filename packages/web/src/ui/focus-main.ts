/** What had the focus is gone, as on another page. */
export const focusMain = (): void => document.querySelector('main')?.focus({ preventScroll: true })
