import { codeOf } from '../api/errors'
import { trpc } from '../api/trpc'

/** What is refused once a plan, its system, period or configuration is another than was read. */
const catalogue: (string | null)[] = ['UNKNOWN_PRICE_GROUP', 'UNKNOWN_IMAGE', 'PERIOD_NOT_SOLD', 'INVALID_INPUT']

/** Hears what was refused: what can be chosen is read again where something of it is gone. */
export function useChoicesAnew(): (error: unknown) => void {
  const utils = trpc.useUtils()
  return (error) => {
    const code = codeOf(error)
    if (code === 'UNKNOWN_SSH_KEY') void utils.accounts.sshKeys.invalidate()
    if (!catalogue.includes(code)) return
    void utils.shop.priceGroups.invalidate()
    void utils.shop.osOptions.invalidate()
  }
}
