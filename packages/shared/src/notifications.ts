/**
 * Only "this thing of yours changed": a screen refetches. `hello` on every (re)connect makes it refetch all.
 */
export const notificationKinds = ['order', 'server', 'wallet', 'payment', 'job', 'monitoring', 'account'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** For administrators only: something of this kind changed in the shop. */
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

/** Null: none. */
export function shopKindOf(name: string): ShopKind | null {
  return shopKinds.find((kind) => kind === name) ?? null
}
