import { trpc } from '../../api/trpc'

/** Each time another code. */
export function useSendCode() {
  const send = trpc.accounts.forgotPassword.useMutation()
  return { sendCode: (email: string) => send.mutateAsync({ email }), sending: send.isPending }
}
