import { isAt, remotePage } from '@vps/shared/addresses'

const query = (values: Record<string, string | undefined>) => {
  const pairs = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return pairs.length ? `?${new URLSearchParams(pairs)}` : ''
}

export const paths = {
  home: () => '/',
  auth: (next?: string) => `/auth${query({ next })}`,
  register: (next?: string) => `/auth${query({ form: 'register', next })}`,
  forgotPassword: () => '/forgot-password',
  dashboard: (status?: string) => `/dashboard${query({ status })}`,
  terms: () => '/terms',
  privacy: () => '/privacy',
  sales: (group?: string, plan?: string) => `/sales${query({ group, plan })}`,
  /** Goes on with what was chosen before signing in. */
  buy: (group: string) => `/sales${query({ group, buy: 'on' })}`,
  orders: (orderId?: string) => `/orders${query({ orderId })}`,
  payOrder: (pay: string) => `/orders${query({ pay })}`,
  transactions: () => '/transactions',
  recharge: (amount?: number) => `/recharge${query({ amount: amount?.toFixed(2) })}`,
  continuePayment: (payment: string) => `/recharge${query({ payment })}`,
  paymentHistory: (status?: string) => `/payment/history${query({ status })}`,
  paymentSuccess: (order?: string) => `/payment/success${query({ order })}`,
  paymentFailed: (order?: string) => `/payment/failed${query({ order })}`,
  profile: (part?: string) => `/profile${query({ part })}`,
  notices: () => '/notices',
  status: () => '/status',
  installProgress: (serverId: string) => `/server-install-progress/${serverId}`,
  console: (orderId: string, part?: string) => `/server-manage/${orderId}${query({ part })}`,
  remote: (serverId: string) => `/remote/${serverId}`,
  categories: () => '/categories',
  groups: () => '/groups',
  servers: (filter: { group?: string; q?: string } = {}) => `/servers${query(filter)}`,
  priceGroups: () => '/price-groups',
  salesPage: (priceGroupId: string) => `/price-groups/${priceGroupId}/sales-page`,
  overview: () => '/overview',
  allOrders: (filter: { q?: string; status?: string } = {}) => `/all-orders${query(filter)}`,
  allPayments: (filter: { q?: string; status?: string } = {}) => `/payments${query(filter)}`,
  refunds: () => '/refunds',
  hosts: (filter: { q?: string; state?: string; pool?: string } = {}) => `/hosts${query(filter)}`,
  host: (id: string, part?: string) => `/hosts/${id}${query({ part })}`,
  images: () => '/images',
  ipPools: (filter: { history?: string } = {}) => `/ip-pools${query(filter)}`,
  jobs: (filter: { status?: string; server?: string; from?: string | undefined } = {}) => `/jobs${query(filter)}`,
  findings: () => '/findings',
  announcements: () => '/announcements',
  incidents: () => '/incidents',
  settings: () => '/settings',
  users: (filter: { q?: string } = {}) => `/users${query(filter)}`,
  user: (id: string, part?: string) => `/users/${id}${query({ part })}`,
  audit: (filter: { subject?: string } = {}) => `/audit${query(filter)}`,
}

/** Nothing stands around such a page. */
export const fillsWindow = (path: string): boolean => isAt(remotePage, path)

const ourselves = 'http://ourselves.invalid'

/** Never to another site; null where `?next=` names no page. */
export function nextOf(search: string): string | null {
  const next = new URLSearchParams(search).get('next')
  if (!next?.startsWith('/') || !URL.canParse(next, ourselves)) return null
  const { origin, pathname, search: wanted } = new URL(next, ourselves)
  // `/.//name` has become `//name`.
  return origin === ourselves && !pathname.startsWith('//') ? pathname + wanted : null
}

/** Whether a sign-in is part of buying. */
export const isBuying = (): boolean => new URL(nextOf(location.search) ?? '/', ourselves).searchParams.has('buy')
