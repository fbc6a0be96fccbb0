import { sentenceOf } from '@vps/shared/issues.contract'
import * as text from '@vps/shared/text'
import type * as z from 'zod'

export type Faults = Record<string, string>

/** The first sentence for each field. NaN is an empty number. */
export function contractFaults<V extends object>(
  contract: z.ZodType,
  input: V,
  requiredNumbers: readonly (keyof V & string)[] = [],
): Faults {
  const faults: Faults = {}
  for (const issue of contract.safeParse(input).error?.issues ?? []) faults[issue.path.join('.')] ??= sentenceOf(issue)
  for (const name of requiredNumbers) if (Number.isNaN(input[name])) faults[name] = text.required
  return faults
}
