export type ToastTone = 'info' | 'success' | 'warning' | 'error'

export interface Toast {
  id: number
  message: string
  type: ToastTone
  timeoutMs: number
  action?: { label: string; run: () => void }
}

const shownMax = 3
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Four seconds by default; at most three stay. */
export function toast(
  message: string,
  type: ToastTone = 'info',
  options: { timeoutMs?: number; action?: Toast['action'] } = {},
): void {
  const { timeoutMs = 4_000, action } = options
  const next = { id: ++lastId, message, type, timeoutMs, ...(action ? { action } : {}) }
  // The same words replace older ones: a burst of equal failures is one.
  set([...toasts.filter((shown) => shown.message !== message), next].slice(-shownMax))
}

export const dismissToast = (id: number) => set(toasts.filter((shown) => shown.id !== id))

export const currentToasts = () => toasts

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
