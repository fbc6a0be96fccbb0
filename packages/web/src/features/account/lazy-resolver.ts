import type { FieldValues, Resolver } from 'react-hook-form'

import { loadPart } from '../../api/load-part'
import type * as rulesModule from './rules'

type Rules = typeof rulesModule

/** A form's rules, loaded with its first check: the page shows before they are there. */
export function lazyResolver<T extends FieldValues>(name: keyof Rules): Resolver<T> {
  return async (values, context, options) => {
    const rules = await loadPart(() => import('./rules'))
    // The server checks the same, and says whether there is a network.
    if (!rules) return { values, errors: {} }
    return (rules[name] as unknown as Resolver<T>)(values, context, options)
  }
}
