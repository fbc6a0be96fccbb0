import type { MachineDescription } from '@vps/shared/jobs.contract'
import { portBlockOf } from '@vps/shared/nat'
import type { MachineTerms, ServerSpec } from '@vps/shared/servers'
import type { Selectable } from 'kysely'
import type { OfferedImage } from '../../catalogue/queries.js'
import type { Tx } from '../../db/client.js'
import type { Servers } from '../../db/schema.generated.js'
import { addressesOf, prefixOf, type Address } from '../../fleet/addresses.js'
import { must } from '../../must.js'

type Access = { hostname: string; mac: string; sshPort: number; username: string; sshKeys: string[] }

/** Complete and without secrets: the host decides nothing. */
export function describeMachine(
  addresses: readonly Address[],
  spec: ServerSpec,
  image: OfferedImage,
  access: Access,
  terms: MachineTerms,
): MachineDescription {
  const [first] = addresses
  return {
    hostname: access.hostname,
    cpuCores: spec.cpuCores,
    memoryMb: spec.memoryGb * 1024,
    diskGb: spec.storageGb,
    bandwidthMbps: spec.bandwidthMbps,
    diskIops: terms.diskIops,
    diskMbPerSecond: terms.diskMbPerSecond,
    cpuModel: terms.cpuModel,
    image: {
      id: image.id,
      osName: image.os_name,
      osVersion: image.os_version,
      file: image.file,
      sha256: image.sha256,
      readiness: image.readiness,
      firmware: image.firmware,
    },
    network: {
      mac: access.mac,
      addresses: addresses.map(({ address, prefix, gateway, nat }) => ({
        address,
        prefix,
        gateway,
        ...(nat ? { nat: portBlockOf(address, nat) } : {}),
      })),
      prefixes: addresses.map(prefixOf).filter((prefix) => prefix !== null),
      gateway: first?.gateway ?? null,
      dns: [...new Set(addresses.flatMap(({ dns }) => dns))],
      bridge: first?.bridge ?? null,
      vlan: null,
    },
    username: access.username,
    sshPort: access.sshPort,
    sshKeys: access.sshKeys,
  }
}

/** The same for a server in its place. */
export async function describePlaced(
  tx: Tx,
  server: Selectable<Servers>,
  placementId: string,
  image: OfferedImage,
  access: Pick<Access, 'sshPort' | 'username' | 'sshKeys'>,
): Promise<MachineDescription> {
  const addresses = await addressesOf(tx, placementId)
  const spec = {
    cpuCores: server.cpu_cores,
    memoryGb: server.memory_gb,
    storageGb: server.storage_gb,
    bandwidthMbps: server.bandwidth_mbps,
    ipCount: addresses.length,
  }
  const { orderNumber, ...terms } = await termsOf(tx, server.id)
  const hostname = (orderNumber ?? server.id.slice(0, 8)).toLowerCase()
  return describeMachine(addresses, spec, image, { ...access, hostname, mac: must(server.mac) }, terms)
}

/** As its groups say today, with its order's number. */
export async function termsOf(tx: Tx, serverId: string): Promise<MachineTerms & { orderNumber: string | null }> {
  return tx
    .selectFrom('servers as s')
    .innerJoin('server_groups as g', 'g.id', 's.group_id')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .leftJoin('price_groups as p', 'p.id', 'o.price_group_id')
    .select((eb) => [
      'o.number as orderNumber',
      eb.fn.coalesce('p.disk_iops', eb.lit(0)).as('diskIops'),
      eb.fn.coalesce('p.disk_mb_per_second', eb.lit(0)).as('diskMbPerSecond'),
      'g.cpu_model as cpuModel',
    ])
    .where('s.id', '=', serverId)
    .executeTakeFirstOrThrow()
}
