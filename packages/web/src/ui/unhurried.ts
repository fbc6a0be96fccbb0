import { useDeferredValue } from 'react'

/**
 * What a read brings is drawn by React in one go, during which nothing that is pressed is answered. The first time is the
 * long one, as all is new: it waits for a drawing in slices, between which the browser answers. Later ones are as they were.
 */
export function useUnhurried<T>(value: T | undefined): T | undefined {
  const isAwaited = useDeferredValue(value === undefined)
  return isAwaited ? undefined : value
}
