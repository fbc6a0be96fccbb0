import type {} from '@trpc/server/unstable-core-do-not-import' // names of inferred types in the declaration file
import { accountsRouter } from '../../accounts/router.js'
import { liveRouter } from './live.js'
import { router } from './init.js'

export const appRouter = router({
  accounts: accountsRouter,
  live: liveRouter,
})
export type AppRouter = typeof appRouter
