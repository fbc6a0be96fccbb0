import { fields, type Typed } from './fields'

/** Each field once its page brings it. */
export function typeAgain(typed: Typed): void {
  const missing = new Map(Object.entries(typed))
  const fill = () => {
    for (const { field, label } of fields()) {
      const value = missing.get(label)
      if (value === undefined || field.value !== '') continue
      missing.delete(label)
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (missing.size === 0) watcher.disconnect()
  }
  const watcher = new MutationObserver(fill)
  watcher.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watcher.disconnect(), 10_000)
}
