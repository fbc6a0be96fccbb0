import { set, type FieldErrors, type FieldValues, type Resolver } from 'react-hook-form'
import type { Faults } from './contract-faults'

/** What was filled in is sent as it is: the server transforms it. */
export function resolverOf<V extends FieldValues>(faultsOf: (values: V) => Faults | Promise<Faults>): Resolver<V> {
  return async (values) => {
    const faults = Object.entries(await faultsOf(values))
    if (faults.length === 0) return { values, errors: {} }
    const errors: FieldErrors<V> = {}
    for (const [name, message] of faults) set(errors, name, { type: 'rule', message })
    return { values: {}, errors }
  }
}
