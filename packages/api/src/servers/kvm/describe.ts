import type { MachineDescription } from '@vps/shared/jobs.contract'
import type { ServerSpec } from '@vps/shared/servers'
import type { Selectable } from 'kysely'
import type { OfferedImage } from '../../catalogue/queries.js'
import type { Tx } from '../../db/client.js'
import type { Servers } from '../../db/schema.generated.js'
import { addressesOf, type Address } from '../../fleet/addresses.js'
import { must } from '../../must.js'

type Access = { hostname: string; mac: string; sshPort: number; username: string; sshKeys: string[] }

/** Complete and without secrets: the host decides nothing. */
export function describeMachine(
  addresses: readonly Address[],
  spec: ServerSpec,
  image: OfferedImage,
  access: Access,
): MachineDescription {
  const [first] = addresses
  return {
    hostname: access.hostname,
    cpuCores: spec.cpuCores,
    memoryMb: spec.memoryGb * 1024,
    diskGb: spec.storageGb,
    bandwidthMbps: spec.bandwidthMbps,
    image: {
      id: image.id,
      osName: image.os_name,
      osVersion: image.os_version,
      file: image.file,
      sha256: image.sha256,
      readiness: image.readiness,
    },
    network: {
      mac: access.mac,
      addresses: addresses.map(({ address, prefix }) => ({ address, prefix })),
      gateway: first?.gateway ?? null,
      dns: first?.dns ?? [],
      bridge: first?.bridge ?? null,
      vlan: null,
    },
    username: access.username,
    sshPort: access.sshPort,
    sshKeys: access.sshKeys,
  }
}

/** The same for a server that has its place. */
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
  const order = server.order_id
    ? await tx.selectFrom('orders').select('number').where('id', '=', server.order_id).executeTakeFirst()
    : null
  const hostname = (order?.number ?? server.id.slice(0, 8)).toLowerCase()
  return describeMachine(addresses, spec, image, { ...access, hostname, mac: must(server.mac) })
}
