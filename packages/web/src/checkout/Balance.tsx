import * as text from '@vps/shared/text'
import { Money } from '../ui/Money'

export interface BalanceRead {
  data: { balance: number | null } | null | undefined
  isError: boolean
}

/** Claims none that was not read. */
export function Balance({ read: { data, isError } }: { read: BalanceRead }) {
  if (data === undefined) return isError ? text.loadFailed : '…'
  return <Money yuan={data?.balance ?? 0} />
}
