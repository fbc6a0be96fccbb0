import { trpc } from './trpc'

/**
 * The one subscription of this tab. A hint names what changed and never carries it: the matching reads are asked again.
 * `hello` comes with every (re)connect, so a hint lost in between costs nothing.
 */
export function Live() {
  const utils = trpc.useUtils()
  trpc.live.useSubscription(undefined, {
    onData: ({ what }) => {
      switch (what) {
        case 'hello':
          return void utils.invalidate()
        case 'order':
          return void utils.orders.invalidate()
        case 'server':
          void utils.orders.invalidate()
          return void utils.console.invalidate()
        case 'wallet':
          return void utils.wallet.invalidate()
        case 'payment':
          void utils.wallet.invalidate()
          return void utils.payments.invalidate()
        case 'job':
          void utils.jobs.invalidate()
          return void utils.console.invalidate()
        case 'monitoring':
          return void utils.console.monitoring.invalidate()
      }
    },
  })
  return null
}
