import type {} from '@trpc/server/unstable-core-do-not-import' // names of inferred types in the declaration file
import { accountsRouter } from '../../accounts/router.js'
import { announcementsRouter } from '../../announcements/router.js'
import { usersRouter } from '../../accounts/users-router.js'
import { catalogueRouter } from '../../catalogue/router.js'
import { operationsRouter } from '../../operations/router.js'
import { serversRouter } from '../../servers/router.js'
import { consoleRouter, jobsRouter } from '../../console/router.js'
import { ordersRouter } from '../../orders/router.js'
import { paymentsRouter } from '../../payments/router.js'
import { shopRouter } from '../../shop/router.js'
import { walletRouter } from '../../wallet/router.js'
import { liveRouter } from './live.js'
import { router } from '../../trpc/init.js'

export const appRouter = router({
  accounts: accountsRouter,
  announcements: announcementsRouter,
  catalogue: shopRouter,
  console: consoleRouter,
  admin: router({
    catalogue: catalogueRouter,
    servers: serversRouter,
    users: usersRouter,
    operations: operationsRouter,
  }),
  jobs: jobsRouter,
  orders: ordersRouter,
  payments: paymentsRouter,
  wallet: walletRouter,
  live: liveRouter,
})
export type AppRouter = typeof appRouter

/** What sockets carry: hints alone. Everything else is a call, which proves who makes it. */
export const socketRouter = router({ live: liveRouter })
