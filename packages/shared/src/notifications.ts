/**
 * "This thing of yours changed": never the data. A screen refetches; a lost notification costs nothing, because `hello`
 * on every (re)connect makes everything visible refetch.
 */
export const notificationKinds = ['order', 'server', 'wallet', 'payment', 'job', 'monitoring'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/**
 * What operators hear about, whoever it belongs to: that something of this kind changed somewhere in the shop, without
 * which one. Only administrators receive it.
 */
export const shopKinds = [
  'order',
  'server',
  'wallet',
  'payment',
  'job',
  'host',
  'finding',
  'image',
  'ip-pool',
  'address',
  'user',
  'category',
  'group',
  'price-group',
  'announcement',
  'audit',
  'latency',
  'site',
  'incident',
  'mail',
] as const
export type ShopKind = (typeof shopKinds)[number]

/** A name as a kind that operators hear about, or null. */
export function shopKindOf(name: string): ShopKind | null {
  return shopKinds.find((kind) => kind === name) ?? null
}
