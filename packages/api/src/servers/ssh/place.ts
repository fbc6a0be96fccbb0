import { machineSuits } from '@vps/shared/servers'
import type { Tx } from '../../db/client.js'
import { enqueueSsh } from './ask.js'
import type { Reservation, Tenant, ServerRequest } from '../driver/server-request.js'
import { dedicatedServersForSale } from './for-sale.js'

/**
 * Large enough, with the ordered system, one address, and reached within five minutes. Skips rows being taken. Its SSH
 * port stays. Null when there is none.
 */
export async function reserveDedicatedServer(
  tx: Tx,
  tenant: Tenant,
  request: ServerRequest,
  now: Date,
): Promise<Reservation | null> {
  const { spec, image } = request
  const machines = await dedicatedServersForSale(tx, request.groupId).execute()
  const server = await lockFirst(tx, machines, (machine) => machineSuits(machine, spec, image))
  if (!server) return null
  await tx
    .updateTable('servers')
    .set({
      order_id: tenant.orderId,
      user_id: tenant.userId,
      name: `${request.groupName}-${tenant.orderNumber.slice(-6)}`,
      os_name: image.os_name,
      os_version: image.os_version,
      install_status: 'INSTALLING',
      generation: server.generation + 1,
      released_at: null,
      updated_at: now,
    })
    .where('id', '=', server.id)
    .execute()
  await tx.updateTable('dedicated_servers').set({ is_sold: true }).where('server_id', '=', server.id).execute()
  const payload = { kind: 'install', ssh: 'set-up' } as const
  await enqueueSsh(tx, server.id, { orderId: tenant.orderId, payload, secretId: request.secretId }, now)
  return { serverId: server.id, made: null }
}

type Machine = Awaited<ReturnType<typeof findMachine>>
const findMachine = (tx: Tx, id: string) =>
  dedicatedServersForSale(tx).where('s.id', '=', id).forUpdate().skipLocked().executeTakeFirst()

async function lockFirst(tx: Tx, machines: NonNullable<Machine>[], suits: (machine: NonNullable<Machine>) => boolean) {
  for (const { id } of machines.filter(suits)) {
    const machine = await findMachine(tx, id)
    if (machine && suits(machine)) return machine
  }
  return null
}
