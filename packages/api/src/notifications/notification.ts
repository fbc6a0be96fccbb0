import type { NotificationKind, ShopKind } from '@vps/shared/notifications'

/**
 * To a user's browsers, a host's claim loop, operators' screens, the keeper of sockets (sessions or role changed), or
 * of a server's remote consoles (one ended). Operators get users' too: `shop` is for what has no owner. Short keys:
 * many share 8 kB.
 */
export type Notification =
  | { user: string; what: NotificationKind; id: string }
  | { host: string }
  | { shop: ShopKind }
  | { sessionsOf: string }
  | { remote: string }

export function notificationKey(notification: Notification): string {
  if ('host' in notification) return `h${notification.host}`
  if ('sessionsOf' in notification) return `a${notification.sessionsOf}`
  if ('remote' in notification) return `r${notification.remote}`
  return 'shop' in notification
    ? `s${notification.shop}`
    : `u${notification.user}/${notification.what}/${notification.id}`
}
