/** The forms' rules are the contracts themselves, with what only a form asks: the same password twice. */
import { zodResolver } from '@hookform/resolvers/zod'
import {
  addSshKeyInput,
  forgotPasswordInput,
  registerInput,
  resetPasswordInput,
  updateProfileInput,
} from '@vps/shared/accounts'
import { text } from '@vps/shared/text'
import type { FieldValues, Resolver } from 'react-hook-form'

export const registerResolver = confirming(zodResolver(registerInput), 'password')
export const forgotResolver = zodResolver(forgotPasswordInput)
export const resetResolver = confirming(zodResolver(resetPasswordInput), 'newPassword')
export const profileResolver = confirming(zodResolver(updateProfileInput), 'newPassword')
export const sshKeyResolver = zodResolver(addSshKeyInput)

/** The contract's rules, and `confirmPassword` equal to the password; it may be empty only where the password may. */
function confirming<Input extends FieldValues, Output>(
  contract: Resolver<Input, unknown, Output>,
  password: 'password' | 'newPassword',
): Resolver<FieldValues> {
  return async (values, context, options) => {
    const result = await contract(values as Input, context, options as never)
    const [given, confirmed] = [values[password] ?? '', values['confirmPassword'] ?? '']
    if (given === confirmed && (given !== '' || !(password in result.errors))) return result as never
    const message = confirmed === '' ? text.required : text.confirmMismatch
    return { values: {}, errors: { ...result.errors, confirmPassword: { type: 'same', message } } } as never
  }
}
