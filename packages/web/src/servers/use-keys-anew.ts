import { codeOf } from '../api/errors'
import { trpc } from '../api/trpc'

/** Hears what was refused: which keys there are is read again where one is gone. */
export function useKeysAnew(): (error: unknown) => void {
  const utils = trpc.useUtils()
  return (error) => {
    if (codeOf(error) === 'UNKNOWN_SSH_KEY') void utils.accounts.sshKeys.invalidate()
  }
}
