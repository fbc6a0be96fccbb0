import type { JobResult } from '@vps/shared/jobs.contract'
import type { ServerDriver } from '@vps/shared/servers'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import type { JobRow } from '../jobs/claim.js'
import type { Ask, Driver } from './driver/driver.js'
import type { Tenant, ServerRequest } from './driver/server-request.js'
import { kvm } from './kvm/driver.js'
import { ssh } from './ssh/driver.js'

const drivers: Record<ServerDriver, Driver> = { kvm, ssh }

/** What a server is driven by. */
export const driverOf = (server: { driver: ServerDriver }): Driver => drivers[server.driver]

/**
 * Finds the server that an order paid for, in the paying transaction: a dedicated server that fits, else a virtual
 * machine. Gives its id. NO_STOCK.
 */
export async function reserveServer(tx: Tx, tenant: Tenant, request: ServerRequest, now: Date): Promise<string> {
  return (await ssh.place(tx, tenant, request, now)) ?? (await kvm.place(tx, tenant, request, now)) ?? fail('NO_STOCK')
}

/** A set-up that failed is tried elsewhere. False, and nothing changed, where there is nowhere else. */
export async function moveServer(tx: Tx, serverId: string, orderId: string, now: Date): Promise<boolean> {
  return (await driverById(tx, serverId)).placeElsewhere(tx, serverId, orderId, now)
}

/** Asks for an act on a server; gives the job's id, or null where there is no machine. LOCKED, NOT_SUPPORTED. */
export async function askServer(tx: Tx, serverId: string, ask: Ask, now: Date): Promise<string | null> {
  return (await driverById(tx, serverId)).ask(tx, serverId, ask, now)
}

/** The server's order has ended. Gives the name that its owner gave it where the machine is somebody else's soon. */
export async function releaseServer(tx: Tx, serverId: string, now: Date): Promise<string | null> {
  return (await driverById(tx, serverId)).release(tx, serverId, now)
}

/** What a try of a job says of its machine becomes what we know of it. `result` is null where nobody knows. */
export async function observeJob(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  await (await driverById(tx, job.server_id)).outcome(tx, job, result, now)
}

async function driverById(tx: Tx, serverId: string): Promise<Driver> {
  return driverOf(await tx.selectFrom('servers').select('driver').where('id', '=', serverId).executeTakeFirstOrThrow())
}
