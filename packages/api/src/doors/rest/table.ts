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

/** Every call of the REST wire: an address, the procedure behind it, and how its reply looks. Nothing else belongs here. */
export const restTable: readonly Row[] = [
  row('POST', '/auth/login', 'accounts.signIn', bare),
  row('POST', '/auth/register', 'accounts.register', bare),
  row('POST', '/auth/logout', 'accounts.signOut', data),
  row('GET', '/auth/profile', 'accounts.me', bare),

  row('PUT', '/auth/profile', 'accounts.updateProfile', bare),
  row('POST', '/auth/forgot-password', 'accounts.forgotPassword', data),
  row('POST', '/auth/reset-password', 'accounts.resetPassword', data),
  row('GET', '/auth/devices', 'accounts.devices', data),
  row('DELETE', '/auth/devices/:id', 'accounts.revokeDevice', data),
  row('GET', '/ssh-keys', 'accounts.sshKeys', data),
  row('POST', '/ssh-keys', 'accounts.addSshKey', data),
  row('DELETE', '/ssh-keys/:id', 'accounts.removeSshKey', data),

  row('GET', '/categories/active', 'catalogue.categories', list),
  row('GET', '/groups/active', 'catalogue.groups', list),
  row('GET', '/price-groups/active', 'catalogue.priceGroups', list),
  row('GET', '/servers/grouped', 'catalogue.serversGrouped', data),
  row('GET', '/servers/groups', 'catalogue.serverGroups', data),
  row('GET', '/servers/group/:groupId', 'catalogue.groupServers', data),
  row('GET', '/server-management/available-os', 'catalogue.osOptions', data),

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
  row('POST', '/orders/:id/refund', 'orders.requestRefund', data),
  row('PUT', '/orders/:id/server-name', 'orders.renameServer', data),
  row('POST', '/refunds/:id/approve', 'orders.approveRefund', data),
  row('POST', '/refunds/:id/reject', 'orders.rejectRefund', data),

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

  row('GET', '/categories', 'admin.catalogue.categories', list),
  row('POST', '/categories', 'admin.catalogue.createCategory', data),
  row('PUT', '/categories/:id', 'admin.catalogue.updateCategory', data),
  row('DELETE', '/categories/:id', 'admin.catalogue.deleteCategory', data),
  row('GET', '/groups', 'admin.catalogue.groups', list),
  row('GET', '/groups/:id', 'admin.catalogue.group', data),
  row('POST', '/groups', 'admin.catalogue.createGroup', data),
  row('PUT', '/groups/:id', 'admin.catalogue.updateGroup', data),
  row('DELETE', '/groups/:id', 'admin.catalogue.deleteGroup', data),
  row('GET', '/price-groups', 'admin.catalogue.priceGroups', list),
  row('GET', '/price-groups/check-name', 'admin.catalogue.priceGroupName', nameCheck),
  row('GET', '/price-groups/:id', 'admin.catalogue.priceGroup', data),
  row('POST', '/price-groups', 'admin.catalogue.createPriceGroup', data),
  row('PUT', '/price-groups/:id', 'admin.catalogue.updatePriceGroup', data),
  row('DELETE', '/price-groups/:id', 'admin.catalogue.deletePriceGroup', data),
  row('POST', '/price-groups/:id/apply-discount', 'admin.catalogue.applyDiscount', data),
  row('POST', '/price-groups/:id/restore-original-prices', 'admin.catalogue.restorePrices', data),
  row('GET', '/servers', 'admin.servers.list', page),
  row('GET', '/servers/:id', 'admin.servers.get', data),
  row('POST', '/servers', 'admin.servers.create', data),
  row('PUT', '/servers/:id', 'admin.servers.update', data),
  row('DELETE', '/servers/:id', 'admin.servers.delete', data),

  row('GET', '/users', 'admin.users.list', page),
  row('PUT', '/users/:id/status', 'admin.users.setStatus', data),
  row('PUT', '/users/:id/role', 'admin.users.setRole', data),
  row('PUT', '/wallet/balance', 'admin.users.adjust', data),
  row('GET', '/orders/all', 'admin.operations.orders', page),
  row('GET', '/refunds', 'admin.operations.refunds', page),
  row('GET', '/overview', 'admin.operations.overview', data),
  row('GET', '/hosts', 'admin.operations.hosts', page),
  row('POST', '/hosts', 'admin.operations.createHost', data),
  row('PUT', '/hosts/:id', 'admin.operations.updateHost', data),
  row('PUT', '/hosts/:id/status', 'admin.operations.moveHost', data),
  row('POST', '/hosts/:id/enrolment', 'admin.operations.renewEnrolment', data),
  row('GET', '/images', 'admin.operations.images', data),
  row('POST', '/images', 'admin.operations.createImage', data),
  row('PUT', '/images/:id', 'admin.operations.updateImage', data),
  row('GET', '/ip-pools', 'admin.operations.pools', data),
  row('POST', '/ip-pools', 'admin.operations.createPool', data),
  row('GET', '/ip-pools/:poolId/addresses', 'admin.operations.addresses', page),
  row('PUT', '/addresses/:address/reservation', 'admin.operations.reserveAddress', data),
  row('GET', '/jobs', 'admin.operations.jobs', page),
  row('POST', '/jobs/:id/hurry', 'admin.operations.hurryJob', data),
  row('POST', '/jobs/:id/cancel', 'admin.operations.cancelJob', data),
  row('GET', '/findings', 'admin.operations.findings', page),
  row('POST', '/findings/:id/resolve', 'admin.operations.resolveFinding', data),
  row('GET', '/audit', 'admin.operations.audit', page),
  row('GET', '/announcements/current', 'announcements.current', data),
  row('GET', '/announcements', 'announcements.list', page),
  row('POST', '/announcements', 'announcements.create', data),
  row('POST', '/announcements/:id/end', 'announcements.end', data),
]
