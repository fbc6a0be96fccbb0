import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'

/**
 * A machine that was given another pool's gateway would take that pool's machines off the net. An address is in one pool
 * alone, wherever its bridge, so a gateway is nobody's in any other: not unless it is reserved there.
 */

/** Of a new pool: its gateway, and those of others in it. INVALID_INPUT. */
export async function keepGateways(tx: Tx, poolId: string): Promise<void> {
  await refuseHandedOutGateway(tx, poolId)
  const within = await findClash(tx, sql`p.id = ${poolId}`)
  if (within) bad('network', `网段中的 ${within.address} 是 IP 池「${within.gatewayOf}」的网关，请调整起始和结束地址`)
}

/** Of a new pool, or one whose gateway is another. INVALID_INPUT. */
export async function refuseHandedOutGateway(tx: Tx, poolId: string): Promise<void> {
  const clash = await findClash(tx, sql`g.id = ${poolId}`)
  if (clash) bad('gateway', `IP 池「${clash.pool}」会把 ${clash.address} 分配给服务器，请先在该池中保留它`)
}

/** The pool whose gateway is at an address of another, were that no longer reserved; null: none. */
export async function gatewayAt(tx: Tx, address: string): Promise<string | null> {
  const clash = await findClash(tx, sql`a.address = ${address}`, sql`a.reserved`)
  return clash?.gatewayOf ?? null
}

/** Gateways of a host's pools that any guest could take: link-local addresses are given to nobody. In order. */
export async function linkLocalRouters(db: Db, hostId: string): Promise<string[]> {
  const { rows } = await sql<{ gateway: string }>`select distinct i.gateway
    from host_ip_pools hp join ip_pools i on i.id = hp.pool_id
    where hp.host_id = ${hostId} and i.gateway <<= 'fe80::/10' order by i.gateway limit ${mostRouters}`.execute(db)
  return rows.map(({ gateway }) => gateway)
}
const mostRouters = 500

function bad(field: string, message: string): never {
  fail('INVALID_INPUT', { message, errors: { [field]: message } })
}

type Clash = { address: string; pool: string; gatewayOf: string }

/** `a` of pool `p` is the gateway of pool `g`, or the first of a machine's prefix that has it. One after the other: two would not see each other. */
async function findClash(
  tx: Tx,
  which: RawBuilder<unknown>,
  isMeant: RawBuilder<unknown> = sql`not a.reserved`,
): Promise<Clash | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('pool-gateways'))`.execute(tx)
  const { rows } = await sql<Clash>`
    select host(a.address) as address, p.name as pool, g.name as "gatewayOf"
    from ip_pools g cross join lateral (select case when family(g.gateway) = 6
        then host(network(set_masklen(g.gateway, 64)))::inet + 1 else g.gateway end as first) f
      join addresses a on a.address in (g.gateway, f.first)
      join ip_pools p on p.id = a.pool_id and p.id <> g.id and (a.address = g.gateway or p.machine_prefix is not null)
    where ${which} and ${isMeant} order by a.address limit 1`.execute(tx)
  return rows[0]
}
