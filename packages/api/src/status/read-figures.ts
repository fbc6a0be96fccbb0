import { enough, shownDays } from '@vps/shared/status'
import type { FiguresView } from '@vps/shared/status.contract'
import { sql } from 'kysely'
import { cached, type Cached } from '../cached.js'
import type { Db } from '../db/client.js'
import type { Deps } from '../deps.js'
import { must } from '../must.js'
import { readSetUps } from '../orders/set-up-times.js'

/** Figures of months hardly move. */
const keptMs = 600_000
const setUpDaysMs = 30 * 86_400_000

const figures = new WeakMap<Deps, Cached<FiguresView>>()

/** What we measure beside what we promise, from memory. */
export function readFigures(deps: Deps): Promise<FiguresView> {
  const kept = figures.get(deps) ?? cached(() => createFigures(deps.shopDb, deps.now()), keptMs)
  figures.set(deps, kept)
  return kept.read()
}

/** As the database has it now; nothing of a few days or set-ups. */
export async function createFigures(db: Db, now: Date): Promise<FiguresView> {
  const [{ rows }, [setUps]] = await Promise.all([
    sql<{ days: number; share: number | null }>`
      select count(distinct day) as days, 1 - sum(lost_minutes) / sum(minutes) as share
      from service_days where day >= ${must(shownDays(now)[0])}::date`.execute(db),
    readSetUps(db, new Date(now.getTime() - setUpDaysMs)),
  ])
  const { days, share } = must(rows[0])
  const { count, p50, p95 } = setUps ?? { count: 0, p50: 0, p95: 0 }
  return {
    availability: days >= enough.days ? share : null,
    measuredDays: days,
    setUpSeconds: count >= enough.setUps ? { p50, p95 } : null,
  }
}
