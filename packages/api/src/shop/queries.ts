import { defaultSpec } from '@vps/shared/servers'
import * as z from 'zod'
import type { Db } from '../db/client.js'
import { fail } from '../errors.js'

/** Memory and disk in GB, `networkSpeed` free text. */
export const groupServersView = z.object({
  id: z.uuid().nullable(),
  cpuCores: z.int(),
  memory: z.int(),
  diskSpace: z.int(),
  diskType: z.string(),
  networkSpeed: z.string(),
})
export const groupedView = z.object({
  groupId: z.uuid(),
  groupName: z.string(),
  categoryId: z.uuid(),
  available: z.boolean(),
  servers: z.array(groupServersView),
})
export const groupSummaryView = z.object({
  id: z.uuid(),
  name: z.string(),
  categoryName: z.string(),
  region: z.string().nullable(),
  available: z.boolean(),
})

export type GroupedView = z.infer<typeof groupedView>
export type GroupSummaryView = z.infer<typeof groupSummaryView>

const defaults = {
  id: null,
  cpuCores: defaultSpec.cpuCores,
  memory: defaultSpec.memoryGb,
  diskSpace: defaultSpec.storageGb,
  diskType: 'SSD',
  networkSpeed: String(defaultSpec.bandwidthMbps),
}

/** A group's, as visitors see them. */
export async function listDedicatedServers(db: Db, groupId: string) {
  return (await dedicatedServers(db).where('s.group_id', '=', groupId).execute()).map(toGroupServer)
}

/** Of all groups, the oldest first. */
export function dedicatedServers(db: Db) {
  return db
    .selectFrom('servers as s')
    .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .select(['s.id', 's.group_id', 's.cpu_cores', 's.memory_gb', 's.storage_gb', 's.disk_type', 's.bandwidth_mbps'])
    .select('d.network_speed')
    .orderBy('s.created_at')
    .limit(1000)
}

type DedicatedRow = Awaited<ReturnType<ReturnType<typeof dedicatedServers>['executeTakeFirstOrThrow']>>

/** As visitors see it. */
export function toGroupServer(row: DedicatedRow) {
  return {
    groupId: row.group_id,
    id: row.id,
    cpuCores: row.cpu_cores,
    memory: row.memory_gb,
    diskSpace: row.storage_gb,
    diskType: row.disk_type,
    networkSpeed: row.network_speed ?? String(row.bandwidth_mbps),
  }
}

/** Without dedicated servers the default specs. NOT_FOUND. */
export async function groupServers(db: Db, groupId: string) {
  const group = await db.selectFrom('server_groups').select('id').where('id', '=', groupId).executeTakeFirst()
  if (!group) fail('NOT_FOUND')
  const servers = await listDedicatedServers(db, groupId)
  return servers.length > 0 ? servers : [defaults]
}
