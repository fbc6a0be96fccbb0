import type { Report } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type { Db } from '../../db/client.js'
import { hostNews, hostNotifications, hostTold, type HostNews } from '../../fleet/report.js'
import { must } from '../../must.js'
import type { Notification } from '../../notifications/notification.js'
import { machineNews, machineNotifications, machinesTold, type MachineNews } from './samples.js'

/**
 * How a host is, and how the servers on it are: one statement, since every host sends one every 10 s. The room of each
 * table writes its part.
 */
export async function applyHostReport(db: Db, hostId: string, report: Report, now: Date): Promise<Notification[]> {
  const { rows } = await sql<HostNews & MachineNews>`
    with ${hostTold(hostId, report, now)}, ${machinesTold(hostId, report)} select ${hostNews}, ${machineNews}`.execute(
    db,
  )
  const news = must(rows[0])
  return [...hostNotifications(news), ...machineNotifications(news)]
}
