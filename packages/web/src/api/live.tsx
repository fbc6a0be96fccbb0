import { useQueryClient } from '@tanstack/react-query'
import type { ShopKind } from '@vps/shared/notifications'
import { useEffect, useState } from 'react'
import { trpc } from './trpc'

/**
 * One per tab. A notification names what changed and never carries it; `hello` comes with every (re)connect, so a lost
 * one costs nothing.
 */
export function Live() {
  const utils = trpc.useUtils()
  const shop = useShop()
  trpc.live.useSubscription(undefined, {
    onData: (message) => {
      switch (message.what) {
        case 'hello':
          return void utils.invalidate()
        case 'order':
          return void utils.orders.invalidate()
        case 'server':
          void utils.orders.invalidate()
          void utils.snapshots.invalidate()
          void utils.backups.invalidate()
          void utils.firewall.invalidate()
          void utils.reverseNames.invalidate()
          return void utils.console.invalidate()
        case 'wallet':
          return void utils.wallet.invalidate()
        case 'payment':
          void utils.wallet.invalidate()
          return void utils.payments.invalidate()
        case 'job':
          void utils.jobs.invalidate()
          void utils.snapshots.invalidate()
          void utils.backups.invalidate()
          void utils.firewall.invalidate()
          void utils.reverseNames.invalidate()
          return void utils.console.invalidate()
        case 'monitoring':
          return void utils.console.monitoring.invalidate()
        case 'shop':
          return shop.heard(message.kind)
      }
    },
  })
  return null
}

/** Loaded with an administrator's first notification. */
function useShop() {
  const queryClient = useQueryClient()
  const [shop] = useState(() => {
    let reads: Promise<{ heard: (kind: ShopKind) => void; close: () => void }> | null = null
    return {
      heard(kind: ShopKind) {
        reads ??= import('./operators-reads').then(({ paceOperatorsReads }) => paceOperatorsReads(queryClient))
        void reads.then(({ heard }) => heard(kind)).catch(() => (reads = null))
      },
      close() {
        void reads?.then((paced) => paced.close())
        reads = null
      },
    }
  })

  // Its timer and listener must not outlive the session.
  useEffect(() => () => shop.close(), [shop])

  return shop
}
