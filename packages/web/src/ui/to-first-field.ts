import type { MouseEvent } from 'react'

/** Of the page's filters. The pressed button goes. Not after a touch: a keyboard would come up. */
export function toFirstField({ detail, currentTarget }: MouseEvent): void {
  const pressedByKey = detail === 0
  if (!pressedByKey) return
  const filters =
    currentTarget.closest('[role=search]') ?? currentTarget.closest('main')?.querySelector('[role=search]')
  filters?.querySelector<HTMLElement>('input, select')?.focus()
}
