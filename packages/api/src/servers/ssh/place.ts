import { machineSuits } from '@vps/shared/servers'
import type { Tx } from '../../db/client.js'
import { enqueueSsh } from './ask.js'
import type { Reservation, Tenant, ServerRequest } from '../driver/server-request.js'
import { dedicatedServersForSale } from './for-sale.js'

/**
 * Large enough, with the ordered system, one address, and reached within five minutes. Skips rows being taken. Ports
 * stay. For the first tenants, as many as there are machines.
 */
export async function reserveDedicatedServers(
  tx: Tx,
  tenants: readonly Tenant[],
  request: ServerRequest,
  now: Date,
): Promise<Reservation[]> {
  const suits = (machine: Machine) => machineSuits(machine, request.spec, request.image)
  const machines = await dedicatedServersForSale(tx, request.groupId).execute()
  const reserved: Reservation[] = []
  for (const { id } of machines.filter(suits)) {
    const tenant = tenants[reserved.length]
    if (!tenant) break
    const machine = await lockMachine(tx, id)
    if (machine && suits(machine)) reserved.push(await sell(tx, machine, tenant, request, now))
  }
  return reserved
}

async function sell(tx: Tx, server: Machine, tenant: Tenant, request: ServerRequest, now: Date): Promise<Reservation> {
  const { image } = request
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
  await enqueueSsh(tx, server.id, { orderId: tenant.orderId, payload, secretId: tenant.secretId }, now)
  return { serverId: server.id, made: null }
}

type Machine = NonNullable<Awaited<ReturnType<typeof lockMachine>>>
const lockMachine = (tx: Tx, id: string) =>
  dedicatedServersForSale(tx).where('s.id', '=', id).forUpdate().skipLocked().executeTakeFirst()
