/** Every address of the client is made here. */
const query = (values: Record<string, string | undefined>) => {
  const pairs = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return pairs.length ? `?${new URLSearchParams(pairs)}` : ''
}

export const paths = {
  home: () => '/',
  auth: () => '/auth',
  forgotPassword: () => '/forgot-password',
  dashboard: () => '/dashboard',
  sales: (group?: string) => `/sales${query({ group })}`,
  orders: (orderId?: string) => `/orders${query({ orderId })}`,
  transactions: () => '/transactions',
  recharge: (amount?: number) => `/recharge${query({ amount: amount?.toFixed(2) })}`,
  paymentHistory: () => '/payment/history',
  paymentSuccess: (order?: string) => `/payment/success${query({ order })}`,
  paymentFailed: (order?: string) => `/payment/failed${query({ order })}`,
  profile: () => '/profile',
  installProgress: (serverId: string) => `/server-install-progress/${serverId}`,
  console: (orderId: string) => `/server-manage/${orderId}`,
}
