import type { MouseEvent } from 'react'

/** The pressed button goes. Not after a touch: a keyboard would come up. */
export function toFirstField({ detail, currentTarget }: MouseEvent): void {
  const pressedByKey = detail === 0
  if (pressedByKey) currentTarget.closest('[role=search]')?.querySelector<HTMLElement>('input, select')?.focus()
}
