import { onlineStatus, powerNow, type Power, type ServerDriver } from '@vps/shared/servers'
import { sql } from 'kysely'

type Observed = {
  driver: ServerDriver | null
  power: Power | null
  ssh_checked_at: Date | null
  inventory_at: Date | null
}

/** From the login test or the host's last report. */
export function observedPower(row: Observed, now: Date) {
  const observedAt = row.driver === 'ssh' ? row.ssh_checked_at : row.inventory_at
  const power = powerNow(row.power ?? 'unknown', observedAt, now)
  return { power, status: onlineStatus(power), observedAt }
}

const reachedMinutes = 5
/** In a recent test. */
export const isReachable = (server: string) =>
  sql<boolean>`(${sql.ref(`${server}.ssh_connectable`)} and ${sql.ref(`${server}.ssh_checked_at`)} > clock_timestamp() - make_interval(mins => ${sql.lit(reachedMinutes)}))`
