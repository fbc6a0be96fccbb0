import * as labels from '@vps/shared/labels'
import { hostStatusNames } from '@vps/shared/hosts'
import { parseReach } from '@vps/shared/nat'
import { orderStatusNames } from '@vps/shared/orders'
import { paymentStatusNames } from '@vps/shared/payments'
import { keepPreviousData } from '@tanstack/react-query'
import { ClipboardList, HardDrive, History, Network, ReceiptText, Server, User, type LucideIcon } from 'lucide-react'
import { useSession } from '../api/session'
import { trpc, type Outputs } from '../api/trpc'
import { paths } from '../paths'
import { leadTo } from '../ui/lead-to'
import { useDebounced } from '../ui/use-debounced'
import type { Entry, Section } from './palette-section'

const restMs = 200

/** In one read once typing rests; only for operators. */
export function useShopSearch(typed: string): { sections: Section[]; searching: boolean } {
  const { user } = useSession()
  const text = useDebounced(typed.trim().slice(0, 100), restMs)
  const asks = user?.isAdmin === true && text.length >= 2
  const found = trpc.operations.search.useQuery({ text }, { enabled: asks, placeholderData: keepPreviousData })
  const resting = text === typed.trim().slice(0, 100)
  return {
    // A port within a block is no part of what is shown. What was found for another text is not found by this one.
    sections:
      asks && found.data ? sectionsOf(found.data, found.isPlaceholderData || !parseReach(text) ? null : text) : [],
    searching: user?.isAdmin === true && typed.trim().length >= 2 && (found.isFetching || !resting),
  }
}

const entry = (id: string, icon: LucideIcon, label: string, note: string, href: string, by?: string | null): Entry => ({
  id: `shop-${id}`,
  icon,
  label,
  note,
  ...(by ? { by } : {}),
  run: () => leadTo(href),
})

type Found = Outputs['operations']['search']

/** All of the machine's ports, whichever was typed. */
function addressEntry({ address, ports: block, orderId, serverName }: Found['addresses'][number], by: string | null) {
  const href = orderId ? paths.console(orderId) : paths.servers({ q: address })
  if (!block) return entry(address, Network, address, serverName, href, by)
  const { outside, firstPort, ports } = block
  const label = `${outside}:${firstPort}` + (ports > 1 ? `–${firstPort + ports - 1}` : '')
  return entry(address, Network, label, `${address} · ${serverName}`, href, by)
}

function historyEntries(text: string | null): Entry[] {
  const reach = text === null ? null : parseReach(text)
  if (!reach) return []
  const history = reach.port === null ? reach.address : `${reach.address}:${reach.port}`
  return [entry('history', History, history, labels.addressHistory, paths.ipPools({ history }), text)]
}

function sectionsOf(found: Found, text: string | null): Section[] {
  return [
    {
      name: labels.user,
      entries: found.users.map(({ id, username, email }) => entry(id, User, username, email, paths.user(id))),
    },
    {
      name: labels.host,
      entries: found.hosts.map(({ id, name, status }) =>
        entry(id, HardDrive, name, hostStatusNames[status], paths.host(id)),
      ),
    },
    {
      name: labels.server + labels.ofAllCustomers,
      entries: found.servers.map(({ id, name, orderId, ownerName }) =>
        entry(id, Server, name, ownerName ?? '', orderId ? paths.console(orderId) : paths.servers({ q: name })),
      ),
    },
    {
      name: labels.ipAddress,
      entries: [...found.addresses.map((one) => addressEntry(one, text)), ...historyEntries(text)],
    },
    {
      name: labels.order + labels.ofAllCustomers,
      entries: found.orders.map(({ id, number, status, ownerName }) =>
        entry(id, ClipboardList, number, `${ownerName} · ${orderStatusNames[status]}`, paths.allOrders({ q: number })),
      ),
    },
    {
      name: labels.payment,
      entries: found.payments.map(({ outTradeNo, tradeNo, status, ownerName }) =>
        entry(
          outTradeNo,
          ReceiptText,
          outTradeNo,
          `${ownerName} · ${paymentStatusNames[status]}`,
          paths.allPayments({ q: outTradeNo }),
          tradeNo,
        ),
      ),
    },
  ]
}
