import type {} from '@trpc/server/unstable-core-do-not-import' // names of inferred types in the declaration file
import { accountsRouter } from '../../accounts/router.js'
import { usersRouter } from '../../accounts/users-router.js'
import { announcementsRouter } from '../../announcements/router.js'
import { auditRouter } from '../../audit/router.js'
import { imagesRouter } from '../../catalogue/images-router.js'
import { catalogueRouter } from '../../catalogue/router.js'
import { consoleRouter } from '../../console/router.js'
import { isoRouter } from '../../console/iso-router.js'
import { rescueRouter } from '../../console/rescue-router.js'
import { firewallRouter } from '../../console/firewall-router.js'
import { backupRepositoryRouter } from '../../backups/repository-router.js'
import { backupsRouter } from '../../console/backups-router.js'
import { reverseNamesRouter } from '../../console/reverse-names-router.js'
import { reverseDnsRouter } from '../../reverse-names/settings-router.js'
import { snapshotsRouter } from '../../console/snapshots-router.js'
import { hostsRouter } from '../../fleet/hosts-router.js'
import { poolsRouter } from '../../fleet/pools-router.js'
import { jobsRouter } from '../../fulfilment/jobs-router.js'
import { mailsRouter } from '../../mail/router.js'
import { operationsRouter } from '../../operations/router.js'
import { migrationsRouter } from '../../fulfilment/migrations-router.js'
import { lostOrdersRouter } from '../../orders/lost-router.js'
import { refundsRouter } from '../../orders/refunds-router.js'
import { ordersRouter } from '../../orders/router.js'
import { paymentsRouter } from '../../payments/router.js'
import { findingsRouter } from '../../servers/findings-router.js'
import { serversRouter } from '../../servers/router.js'
import { shopRouter } from '../../shop/router.js'
import { secondFactorRouter } from '../../accounts/second-factor-router.js'
import { siteRouter } from '../../site/router.js'
import { alertsRouter } from '../../alerts/router.js'
import { statusRouter } from '../../status/router.js'
import { router } from '../../trpc/init.js'
import { walletRouter } from '../../wallet/router.js'
import { liveRouter } from './live.js'

export const appRouter = router({
  accounts: accountsRouter,
  announcements: announcementsRouter,
  audit: auditRouter,
  catalogue: catalogueRouter,
  console: consoleRouter,
  findings: findingsRouter,
  hosts: hostsRouter,
  images: imagesRouter,
  jobs: jobsRouter,
  live: liveRouter,
  mails: mailsRouter,
  operations: operationsRouter,
  orders: ordersRouter,
  payments: paymentsRouter,
  pools: poolsRouter,
  refunds: refundsRouter,
  lostOrders: lostOrdersRouter,
  migrations: migrationsRouter,
  servers: serversRouter,
  shop: shopRouter,
  site: siteRouter,
  snapshots: snapshotsRouter,
  backups: backupsRouter,
  backupRepository: backupRepositoryRouter,
  reverseNames: reverseNamesRouter,
  reverseDns: reverseDnsRouter,
  firewall: firewallRouter,
  rescue: rescueRouter,
  secondFactor: secondFactorRouter,
  iso: isoRouter,
  alerts: alertsRouter,
  status: statusRouter,
  users: usersRouter,
  wallet: walletRouter,
})
export type AppRouter = typeof appRouter

/** Notifications alone; calls prove their caller. */
export const socketRouter = router({ live: liveRouter })
