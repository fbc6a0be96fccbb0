import type { NotificationKind, ShopKind } from '@vps/shared/notifications'

/**
 * To a user's browsers, to the claim loop of a host, to the operators' screens, or to the keeper of sockets: sessions
 * or the role of this user changed. A user's notification reaches operators too, so `shop` is only for what has no
 * owner. Keys are short because many share one 8 kB notification.
 */
export type Notification =
  { user: string; what: NotificationKind; id: string } | { host: string } | { shop: ShopKind } | { sessionsOf: string }

export function notificationKey(notification: Notification): string {
  if ('host' in notification) return `h${notification.host}`
  if ('sessionsOf' in notification) return `a${notification.sessionsOf}`
  return 'shop' in notification
    ? `s${notification.shop}`
    : `u${notification.user}/${notification.what}/${notification.id}`
}
