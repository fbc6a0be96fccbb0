import { useDeferredValue } from 'react'

/**
 * What a read brings is drawn in one go, during which no press is answered. The first, long time waits for a drawing in
 * slices.
 */
export function useUnhurried<T>(value: T | undefined): T | undefined {
  const isAwaited = useDeferredValue(value === undefined)
  return isAwaited ? undefined : value
}
