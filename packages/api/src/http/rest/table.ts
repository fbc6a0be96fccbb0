import type { AppRouter } from '../trpc/app-router.js'
import { bare, data, list, nameCheck, page, paymentCreated, paymentStatus, type Shape } from './shapes.js'

/** Every procedure's dotted path, so that a typo in a row does not compile. */
type Paths<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends { _def: { procedure: true } }
    ? `${Prefix}${K}`
    : T[K] extends { _def: { record: infer R } }
      ? Paths<R, `${Prefix}${K}.`>
      : Paths<T[K], `${Prefix}${K}.`>
}[keyof T & string]
export type ProcedurePath = Paths<AppRouter['_def']['record']>

export type Row = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; procedure: ProcedurePath; shape: Shape }

const row = (method: Row['method'], path: string, procedure: ProcedurePath, shape: Shape): Row => ({
  method,
  path,
  procedure,
  shape,
})

/**
 * Every call of the REST wire: an address, the procedure behind it, and how its reply looks. Nothing else belongs here.
 */
export const restTable: readonly Row[] = [
  row('POST', '/auth/login', 'accounts.signIn', bare),
  row('POST', '/auth/register', 'accounts.register', bare),
  row('POST', '/auth/logout', 'accounts.signOut', data),
  row('GET', '/auth/profile', 'accounts.me', bare),

  row('PUT', '/auth/profile', 'accounts.updateProfile', bare),
  row('POST', '/auth/forgot-password', 'accounts.forgotPassword', data),
  row('POST', '/auth/reset-password', 'accounts.resetPassword', data),
  row('POST', '/auth/email-link', 'accounts.followEmailLink', data),
  row('GET', '/auth/devices', 'accounts.devices', data),
  row('DELETE', '/auth/devices/:id', 'accounts.revokeDevice', data),
  row('GET', '/ssh-keys', 'accounts.sshKeys', data),
  row('POST', '/ssh-keys', 'accounts.addSshKey', data),
  row('DELETE', '/ssh-keys/:id', 'accounts.removeSshKey', data),

  row('GET', '/categories/active', 'shop.categories', list),
  row('GET', '/groups/active', 'shop.groups', list),
  row('GET', '/price-groups/active', 'shop.priceGroups', list),
  row('GET', '/servers/grouped', 'shop.serversGrouped', data),
  row('GET', '/servers/groups', 'shop.serverGroups', data),
  row('GET', '/servers/group/:groupId', 'shop.groupServers', data),
  row('GET', '/server-management/available-os', 'shop.osOptions', data),

  row('POST', '/orders/quote', 'orders.quote', data),
  row('POST', '/orders', 'orders.place', data),
  row('GET', '/orders', 'orders.list', data),
  row('GET', '/orders/:id', 'orders.get', data),
  row('GET', '/orders/number/:orderNumber', 'orders.byNumber', data),
  row('POST', '/orders/:id/pay', 'orders.pay', data),
  row('PUT', '/orders/:id/cancel', 'orders.cancel', data),
  row('PUT', '/orders/:id/status', 'orders.setStatus', data),
  row('PUT', '/orders/:id/auto-renewal', 'orders.setAutoRenewal', data),

  row('GET', '/orders/page', 'orders.page', page),
  row('GET', '/orders/:id/renewal', 'orders.renewal', data),
  row('POST', '/orders/:id/renew', 'orders.renew', data),
  row('POST', '/orders/:id/upgrade-quote', 'orders.upgradeQuote', data),
  row('POST', '/orders/:id/upgrade', 'orders.upgrade', data),
  row('POST', '/orders/:id/refund', 'refunds.request', data),
  row('PUT', '/orders/:id/server-name', 'orders.renameServer', data),
  row('POST', '/refunds/:id/approve', 'refunds.approve', data),
  row('POST', '/refunds/:id/reject', 'refunds.reject', data),

  row('POST', '/payment/create', 'payments.create', paymentCreated),
  row('POST', '/transactions/recharge', 'payments.create', paymentCreated),
  row('GET', '/payment/order/:outTradeNo', 'payments.status', paymentStatus),
  row('PUT', '/payment/order/:outTradeNo/cancel', 'payments.cancel', data),
  row('GET', '/payment/orders', 'payments.list', page),

  row('GET', '/payment/summary', 'payments.summary', data),

  row('GET', '/wallet', 'wallet.get', data),
  row('POST', '/wallet', 'wallet.open', data),
  row('GET', '/transactions/user', 'wallet.transactions', data),
  row('GET', '/transactions/user/type/:type', 'wallet.transactions', data),
  row('GET', '/transactions/user/status/:status', 'wallet.transactions', data),
  row('GET', '/transactions/user/date-range', 'wallet.transactions', data),
  row('GET', '/transactions/page', 'wallet.page', page),
  row('GET', '/transactions/summary', 'wallet.summary', data),
  row('GET', '/transactions/number/:number', 'wallet.transaction', data),
  row('GET', '/transactions/order/:orderId', 'wallet.transactions', data),

  row('POST', '/server-management/action', 'console.act', data),
  row('GET', '/server-management/:id', 'console.details', data),
  row('GET', '/server-management/:id/monitoring', 'console.monitoring', data),
  row('GET', '/server-management/:id/logs', 'console.logs', page),
  row('GET', '/server-management/:id/password', 'console.password', data),
  row('GET', '/server-management/:id/install', 'console.install', data),
  row('POST', '/server-management/:id/test-connection', 'console.testConnection', data),
  row('POST', '/server-management/:id/install', 'console.reinstall', data),
  row('PUT', '/server-management/:id/protection', 'console.protect', data),
  row('GET', '/server-management/:id/metrics', 'console.metrics', data),
  row('GET', '/jobs/:id', 'jobs.get', data),

  row('GET', '/categories', 'catalogue.categories', list),
  row('POST', '/categories', 'catalogue.createCategory', data),
  row('PUT', '/categories/:id', 'catalogue.updateCategory', data),
  row('DELETE', '/categories/:id', 'catalogue.deleteCategory', data),
  row('GET', '/groups', 'catalogue.groups', list),
  row('GET', '/groups/:id', 'catalogue.group', data),
  row('POST', '/groups', 'catalogue.createGroup', data),
  row('PUT', '/groups/:id', 'catalogue.updateGroup', data),
  row('DELETE', '/groups/:id', 'catalogue.deleteGroup', data),
  row('GET', '/price-groups', 'catalogue.priceGroups', list),
  row('GET', '/price-groups/check-name', 'catalogue.priceGroupName', nameCheck),
  row('GET', '/price-groups/:id', 'catalogue.priceGroup', data),
  row('POST', '/price-groups', 'catalogue.createPriceGroup', data),
  row('PUT', '/price-groups/:id', 'catalogue.updatePriceGroup', data),
  row('DELETE', '/price-groups/:id', 'catalogue.deletePriceGroup', data),
  row('POST', '/price-groups/:id/apply-discount', 'catalogue.applyDiscount', data),
  row('POST', '/price-groups/:id/restore-original-prices', 'catalogue.restorePrices', data),
  row('GET', '/servers', 'servers.list', page),
  row('GET', '/servers/:id', 'servers.get', data),
  row('POST', '/servers', 'servers.create', data),
  row('PUT', '/servers/:id', 'servers.update', data),
  row('DELETE', '/servers/:id', 'servers.delete', data),

  row('GET', '/users', 'users.list', page),
  row('PUT', '/users/:id/status', 'users.setStatus', data),
  row('PUT', '/users/:id/role', 'users.setRole', data),
  row('PUT', '/wallet/balance', 'wallet.adjust', data),
  row('GET', '/orders/all', 'orders.all', page),
  row('GET', '/users/:userId/transactions', 'wallet.transactionsOf', page),
  row('GET', '/refunds', 'refunds.list', page),
  row('GET', '/overview', 'operations.overview', data),
  row('GET', '/latency', 'operations.latency', data),
  row('GET', '/hosts', 'hosts.list', page),
  row('GET', '/hosts/:id/load', 'hosts.load', data),
  row('GET', '/hosts/:id', 'hosts.get', data),
  row('POST', '/hosts', 'hosts.create', data),
  row('PUT', '/hosts/:id', 'hosts.update', data),
  row('PUT', '/hosts/:id/status', 'hosts.move', data),
  row('POST', '/hosts/:id/enrolment', 'hosts.renewEnrolment', data),
  row('DELETE', '/hosts/:id/token', 'hosts.revokeToken', data),
  row('GET', '/images', 'images.list', list),
  row('GET', '/images/:id', 'images.get', data),
  row('POST', '/images', 'images.create', data),
  row('PUT', '/images/:id', 'images.update', data),
  row('DELETE', '/images/:id', 'images.delete', data),
  row('GET', '/ip-pools', 'pools.list', list),
  row('POST', '/ip-pools', 'pools.create', data),
  row('GET', '/ip-pools/:id', 'pools.get', data),
  row('PUT', '/ip-pools/:id', 'pools.update', data),
  row('DELETE', '/ip-pools/:id', 'pools.delete', data),
  row('GET', '/ip-pools/:poolId/addresses', 'pools.addresses', page),
  row('PUT', '/addresses/:address/reservation', 'pools.reserveAddress', data),
  row('GET', '/jobs', 'jobs.list', page),
  row('POST', '/jobs/:id/run-now', 'jobs.runNow', data),
  row('POST', '/jobs/:id/cancel', 'jobs.cancel', data),
  row('POST', '/jobs/:id/adopt', 'jobs.adopt', data),
  row('POST', '/jobs/:id/retry', 'jobs.retry', data),
  row('GET', '/findings', 'findings.list', page),
  row('POST', '/findings/:id/clean', 'findings.clean', data),
  row('POST', '/findings/:id/redefine', 'findings.redefine', data),
  row('POST', '/findings/:id/resolve', 'findings.resolve', data),
  row('GET', '/audit', 'audit.list', page),
  row('GET', '/announcements/current', 'announcements.current', data),
  row('GET', '/announcements', 'announcements.list', page),
  row('POST', '/announcements', 'announcements.create', data),
  row('POST', '/announcements/:id/end', 'announcements.end', data),
]
