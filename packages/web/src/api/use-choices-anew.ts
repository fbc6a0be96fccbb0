import { codeOf } from './errors'
import { trpc } from './trpc'

/** Hears what failed: where it was refused, a key, plan, system or period may be gone, so what can be chosen is read again. */
export function useChoicesAnew(): (error: unknown) => void {
  const utils = trpc.useUtils()
  return (error) => {
    if (codeOf(error) === null) return
    void utils.accounts.sshKeys.invalidate()
    void utils.shop.invalidate()
  }
}
