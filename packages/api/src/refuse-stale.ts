import * as labels from '@vps/shared/labels'
import { fail } from './errors.js'

type Value = string | number | boolean | null | readonly string[]

/**
 * Refuses the later of two saves, naming the fields that differ. Absent version: saved. `fields`: what was sent and the
 * row's.
 */
export function refuseStale(sent: number | undefined, current: number, fields: Record<string, [Value, Value]>): void {
  if (sent === undefined || sent === current) return
  const changed = Object.entries(fields).filter(([, [mine, theirs]]) => String(mine ?? '') !== String(theirs ?? ''))
  fail('CONFLICT', {
    errors: Object.fromEntries(
      changed.map(([name, [, theirs]]) => [name, `已被修改为：${String(theirs ?? labels.nothing)}`]),
    ),
  })
}
