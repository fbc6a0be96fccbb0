import type { HintKind } from '@vps/shared/hints'

/** To a user's browsers, or to the claim loop of a host. Keys are short because many share one 8 kB notification. */
export type Hint = { user: string; what: HintKind; id: string } | { host: string }

export const sameHint = (hint: Hint): string =>
  'host' in hint ? `h${hint.host}` : `u${hint.user}/${hint.what}/${hint.id}`
