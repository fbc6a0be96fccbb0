/** The forms' rules are the contracts themselves. Loaded on the first check, so that the page shows before they do. */
import { zodResolver } from '@hookform/resolvers/zod'
import { registerInput, signInInput } from '@vps/shared/accounts'
import { text } from '@vps/shared/text'

export const signInResolver = zodResolver(signInInput)

export const registerResolver = zodResolver(
  registerInput
    .extend({ confirmPassword: registerInput.shape.password })
    .refine((values) => values.password === values.confirmPassword, {
      path: ['confirmPassword'],
      error: text.confirmMismatch,
    }),
)
