/** As where another page came: what had the focus is gone. */
export const focusMain = (): void => document.querySelector('main')?.focus({ preventScroll: true })
