import { machineSuits } from '@vps/shared/servers'
import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { supersedeQueued } from '../../jobs/delete-secrets.js'
import type { SshPayload } from '@vps/shared/jobs.contract'
import type { Tenant, Wish } from '../driver/placement-request.js'
import { dedicatedServersForSale } from './for-sale.js'

/**
 * Takes an unsold dedicated server of the group for an order: enough of everything, the ordered system, one address, and
 * found reachable within the last five minutes. Rows that another tenant is taking are skipped. Its own SSH port stays. Null
 * when there is none.
 */
export async function reserveDedicatedServer(tx: Tx, tenant: Tenant, wish: Wish, now: Date): Promise<string | null> {
  const { spec, image } = wish
  const machines = await dedicatedServersForSale(tx, wish.groupId).execute()
  const server = await lockFirst(tx, machines, (machine) => machineSuits(machine, spec, image))
  if (!server) return null
  await tx
    .updateTable('servers')
    .set({
      is_sold: true,
      order_id: tenant.orderId,
      user_id: tenant.userId,
      name: `${wish.groupName}-${tenant.orderNumber.slice(-6)}`,
      os_name: image.os_name,
      os_version: image.os_version,
      install_status: 'INSTALLING',
      generation: server.generation + 1,
      released_at: null,
      updated_at: now,
    })
    .where('id', '=', server.id)
    .execute()
  await enqueueSsh(
    tx,
    {
      serverId: server.id,
      orderId: tenant.orderId,
      payload: { kind: 'install', ssh: 'set-up' },
      secretId: wish.secretId,
    },
    now,
  )
  return server.id
}

type Machine = Awaited<ReturnType<typeof findMachine>>
const findMachine = (tx: Tx, id: string) =>
  dedicatedServersForSale(tx).where('id', '=', id).forUpdate().skipLocked().executeTakeFirst()

/** Locks the first of these machines that suits, that nobody else is taking and that is still for sale. */
async function lockFirst(tx: Tx, machines: NonNullable<Machine>[], suits: (machine: NonNullable<Machine>) => boolean) {
  for (const { id } of machines.filter(suits)) {
    const machine = await findMachine(tx, id)
    if (machine && suits(machine)) return machine
  }
  return null
}

type SshJob = {
  serverId: string
  orderId: string | null
  payload: SshPayload
  secretId?: string | null
  askedBy?: string | null
}

/** Asks our worker for an act on a dedicated server. LOCKED while another is open, unless `replace`. */
export async function enqueueSsh(tx: Tx, job: SshJob, now: Date, mode: { replace?: boolean } = {}): Promise<string> {
  const { generation } = await tx
    .selectFrom('servers')
    .select('generation')
    .where('id', '=', job.serverId)
    .executeTakeFirstOrThrow()
  return enqueueJob(tx, { ...job, hostId: null, placementId: null, generation: Math.max(1, generation) }, now, mode)
}

/**
 * The order of a dedicated server has ended. Before it was set up it is for sale again; afterwards it stays sold, marked for
 * cleaning, until an administrator says that it was made anew. Gives the name that its owner gave it.
 */
export async function releaseDedicatedServer(tx: Tx, serverId: string, now: Date): Promise<string | null> {
  const server = await tx
    .selectFrom('servers')
    .select(['user_id', 'install_status', 'order_id', 'name'])
    .where('id', '=', serverId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const touched = await tx
    .selectFrom('jobs')
    .select('id')
    .where('server_id', '=', serverId)
    .where('order_id', '=', server.order_id)
    .where('attempt', '>', 0)
    .limit(1)
    .executeTakeFirst()
  await supersedeQueued(tx, serverId, now)
  await tx
    .updateTable('servers')
    .set({
      order_id: null,
      user_id: null,
      install_status: null,
      is_sold: touched !== undefined,
      needs_cleaning: touched !== undefined,
      updated_at: now,
    })
    .where('id', '=', serverId)
    .execute()
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: serverId })
  return server.order_id && server.name
}
