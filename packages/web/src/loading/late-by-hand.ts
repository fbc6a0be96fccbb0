import type { ComponentType } from 'react'
import { late } from '../ui/late'
import { withFirstHand } from './first-hand'

/** As React's `lazy`, but loads with the first hand. Needs a `Suspense` around it. */
export function lateByHand<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const { Late, bring } = late(async () => (await load()).default)
  withFirstHand(bring)
  return Late
}
