import { signInInput } from '@vps/shared/accounts'

export interface SignInValues {
  username: string
  password: string
}

export type SignInFaults = Partial<Record<keyof SignInValues, string>>

/** Field → message, in the order of the form; the rule is the contract itself. Loaded when the form is first sent. */
export function signInFaults(values: SignInValues): SignInFaults {
  const { error } = signInInput.safeParse(values)
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]))
}
