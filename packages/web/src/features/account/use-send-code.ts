import { trpc } from '../../api/trpc'

/** Asked for again, it is another code. */
export function useSendCode() {
  const send = trpc.accounts.forgotPassword.useMutation()
  return { sendCode: (email: string) => send.mutateAsync({ email }), sending: send.isPending }
}
