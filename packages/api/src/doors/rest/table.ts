import type { AppRouter } from '../trpc/app-router.js'
import { bare, data, list, page, paymentCreated, paymentStatus, type Shape } from './shapes.js'

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
  row('PUT', '/orders/:id/auto-renewal', 'orders.setAutoRenewal', data),

  row('POST', '/payment/create', 'payments.create', paymentCreated),
  row('POST', '/transactions/recharge', 'payments.create', paymentCreated),
  row('GET', '/payment/order/:outTradeNo', 'payments.status', paymentStatus),
  row('PUT', '/payment/order/:outTradeNo/cancel', 'payments.cancel', data),
  row('GET', '/payment/orders', 'payments.list', page),

  row('GET', '/wallet', 'wallet.get', data),
  row('POST', '/wallet', 'wallet.open', data),
  row('GET', '/transactions/user', 'wallet.transactions', data),
  row('GET', '/transactions/user/type/:type', 'wallet.transactions', data),
  row('GET', '/transactions/user/status/:status', 'wallet.transactions', data),
  row('GET', '/transactions/user/date-range', 'wallet.transactions', data),
  row('GET', '/transactions/number/:number', 'wallet.transaction', data),
  row('GET', '/transactions/order/:orderId', 'wallet.transactions', data),

  row('POST', '/server-management/action', 'console.act', data),
  row('GET', '/server-management/:id', 'console.details', data),
  row('GET', '/server-management/:id/monitoring', 'console.monitoring', data),
  row('GET', '/server-management/:id/logs', 'console.logs', page),
  row('GET', '/server-management/:id/password', 'console.password', data),
  row('GET', '/server-management/:id/install', 'console.install', data),
  row('POST', '/server-management/:id/test-connection', 'console.testConnection', data),
  row('GET', '/jobs/:id', 'jobs.get', data),
]
