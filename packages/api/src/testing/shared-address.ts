import { v7 as uuidv7 } from 'uuid'
import type { Sale } from './sale.js'

export const outside = '203.0.113.7'

/** The host's pool becomes a shared address with three places; its agent can forward. */
export async function shareAddress({ app, host }: Pick<Sale, 'app' | 'host'>): Promise<void> {
  const id = uuidv7()
  await app.db.deleteFrom('host_ip_pools').execute()
  const network = { network: '10.66.0.0/24', gateway: '10.66.0.1' }
  const nat = { nat_address: outside, nat_first_port: 20_000, nat_ports: 20 }
  await app.db
    .insertInto('ip_pools')
    .values({ id, name: 'NAT', created_at: app.deps.now(), ...network, ...nat })
    .execute()
  await app.db.insertInto('host_ip_pools').values({ host_id: host.id, pool_id: id }).execute()
  for (const last of [2, 3, 4])
    await app.db
      .insertInto('addresses')
      .values({ pool_id: id, address: `10.66.0.${last}` })
      .execute()
  await app.db.updateTable('hosts').set({ forwards_ports: true }).execute()
}
