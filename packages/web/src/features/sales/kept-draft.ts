/** What was chosen before signing in, for this tab. */
import type { OrderedSpec } from '@vps/shared/servers'
import { readStored } from '../../stored'
import type { Draft } from './configurator'

const key = 'draft'

/** Never stored: a reload forgets it. */
let password = ''

/** An older page has kept no quantity and no backups. */
type Kept = Omit<Draft, 'quantity' | 'spec'> & { quantity?: number; spec: OrderedSpec; withPassword: boolean }

/** Until an order was made of it. */
export function keepDraft({ initialPassword, ...draft }: Draft): void {
  password = initialPassword
  const kept: Kept = { ...draft, initialPassword: '', withPassword: password !== '' }
  sessionStorage.setItem(key, JSON.stringify(kept))
}

/** Of one of these offers. */
export function keptDraft(offers: readonly { id: string }[]): Draft | null {
  const kept = readKept()
  if (!kept || !offers.some(({ id }) => id === kept.priceGroupId)) return null
  const { withPassword: _, ...draft } = kept
  const spec = { ...draft.spec, backups: draft.spec.backups ?? 0 }
  return { ...draft, spec, initialPassword: password, quantity: draft.quantity ?? 1 }
}

/** Null where nothing of this offer was kept; `whole` may be bought as it is. */
export function keptOf(priceGroupId: string): 'whole' | 'without its password' | null {
  const kept = readKept()
  if (kept?.priceGroupId !== priceGroupId) return null
  return kept.withPassword && password === '' ? 'without its password' : 'whole'
}

/** Once an order was made. */
export function forgetDraft(): void {
  password = ''
  sessionStorage.removeItem(key)
}

const readKept = () => readStored<Kept>(sessionStorage, key)
