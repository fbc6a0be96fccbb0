import type { HintKind, ShopKind } from '@vps/shared/notifications'

/**
 * To a user's browsers, to the claim loop of a host, to the operators' screens, or to the keeper of sockets: sessions or the
 * role of this user changed. A user's hint reaches operators too, so `shop` is only for what has no owner. Keys are short because many share one 8 kB notification.
 */
export type Hint =
  { user: string; what: HintKind; id: string } | { host: string } | { shop: ShopKind } | { sessionsOf: string }

export function sameHint(hint: Hint): string {
  if ('host' in hint) return `h${hint.host}`
  if ('sessionsOf' in hint) return `a${hint.sessionsOf}`
  return 'shop' in hint ? `s${hint.shop}` : `u${hint.user}/${hint.what}/${hint.id}`
}
