import type { JobResult } from '@vps/shared/jobs.contract'
import type { ServerDriver } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import type { JobRow } from '../jobs/claim.js'
import type { Ask, Driver } from './driver/driver.js'
import type { Reservation, Tenant, ServerRequest } from './driver/server-request.js'
import { kvm } from './kvm/driver.js'
import { ssh } from './ssh/driver.js'

const drivers: Record<ServerDriver, Driver> = { kvm, ssh }

/** What a server is driven by. */
export const driverOf = (server: { driver: ServerDriver }): Driver => drivers[server.driver]

/**
 * One each, in the paying transaction: dedicated servers that fit, else virtual machines. A dedicated one takes no keys.
 * NO_STOCK.
 */
export async function reserveServers(
  tx: Tx,
  tenants: readonly Tenant[],
  request: ServerRequest,
  now: Date,
): Promise<Reservation[]> {
  const isEither = request.hasDedicatedServers && request.sshKeys.length === 0
  const reserved = isEither ? await ssh.place(tx, tenants, request, now) : []
  const others = tenants.slice(reserved.length)
  if (others.length > 0) reserved.push(...(await kvm.place(tx, others, request, now)))
  const { length } = reserved
  if (length < tenants.length) fail('NO_STOCK', length > 0 ? { message: text.onlyLeft(length) } : {})
  return reserved
}

/** False, and nothing changed, without another place. */
export async function moveServer(tx: Tx, serverId: string, now: Date): Promise<boolean> {
  return (await driverById(tx, serverId)).placeElsewhere(tx, serverId, now)
}

/**
 * Gives the job's id; null without a machine. Locks the server before the jobs that the act may replace, as who ends one
 * does (docs/money.md). LOCKED, NOT_SUPPORTED.
 */
export async function askServer(tx: Tx, serverId: string, ask: Ask, now: Date): Promise<string | null> {
  const server = await driverIn(tx, serverId).forUpdate().executeTakeFirstOrThrow()
  return driverOf(server).ask(tx, serverId, ask, now)
}

/** Gives the owner's name for a resold machine. */
export async function releaseServer(tx: Tx, serverId: string, now: Date): Promise<string | null> {
  return (await driverById(tx, serverId)).release(tx, serverId, now)
}

/** `result` is null where nobody knows; `untold`: it was called off or replaced between two tries. */
export async function observeJob(tx: Tx, job: JobRow, result: JobResult | null | 'untold', now: Date): Promise<void> {
  const driver = await driverById(tx, job.server_id)
  await (result === 'untold' ? driver.untold(tx, job, now) : driver.outcome(tx, job, result, now))
}

async function driverById(tx: Tx, serverId: string): Promise<Driver> {
  return driverOf(await driverIn(tx, serverId).executeTakeFirstOrThrow())
}

const driverIn = (tx: Tx, serverId: string) => tx.selectFrom('servers').select('driver').where('id', '=', serverId)
