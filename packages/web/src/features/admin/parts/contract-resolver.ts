import { zodResolver } from '@hookform/resolvers/zod'
import { text } from '@vps/shared/text'
import type { FieldValues, Path, Resolver } from 'react-hook-form'
import type * as z from 'zod'

/**
 * The contract's rules for a form that sends what was filled in (the server turns yuan into fen, not the form). A number
 * field left empty is NaN: where it is required it says so rather than what is wrong with NaN.
 */
export function contractResolver<V extends FieldValues>(
  contract: z.ZodType<unknown, V>,
  requiredNumbers: readonly Path<V>[] = [],
): Resolver<V> {
  const byContract = zodResolver(contract as z.ZodType<V, V>, undefined, { raw: true }) as unknown as Resolver<V>
  return async (values, context, options) => {
    const result = await byContract(values, context, options)
    const errors = { ...result.errors } as Record<string, { type: string; message: string }>
    for (const name of requiredNumbers) {
      if (Number.isNaN(values[name])) errors[name] = { type: 'required', message: text.required }
    }
    return Object.keys(errors).length > 0 ? ({ values: {}, errors } as never) : result
  }
}
