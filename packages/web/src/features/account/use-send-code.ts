import { trpc } from '../../api/trpc'

/** Has a code sent by mail; asked for again, it is another one. */
export function useSendCode() {
  const send = trpc.accounts.forgotPassword.useMutation()
  return { sendCode: (email: string) => send.mutateAsync({ email }), sending: send.isPending }
}
