import type { Selectable } from 'kysely'
import type { Tx } from '../../db/client.js'
import type { Images } from '../../db/schema.generated.js'
import { fail } from '../../errors.js'
import { bootableImages } from '../../fleet/unbootable.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { describePlaced } from './install.js'
import { setGeneration } from '../../fleet/placements.js'

type Reinstall = {
  serverId: string
  image: Selectable<Images>
  sshPort: number | null
  sshKeys: string[]
  secretId: string
  askedBy: string
}

/**
 * Asks the host that has the server to make it anew in its own place, with its own addresses: the next generation. What the
 * server is called, runs and listens on changes when that is done. NOT_SUPPORTED, LOCKED, INVALID_INPUT where the disk is too small.
 */
export async function reinstallServer(tx: Tx, input: Reinstall, now: Date): Promise<string> {
  const { serverId, image } = input
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
  if (server.storage_gb < image.min_disk_gb) {
    const message = `${image.os_name} ${image.os_version} 至少需要 ${image.min_disk_gb} GB 存储`
    fail('INVALID_INPUT', { message, errors: { osVersion: message } })
  }
  const place = await tx
    .selectFrom('placements as p')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select(['p.id', 'p.host_id', bootableImages.as('images')])
    .where('p.server_id', '=', serverId)
    .where('p.state', '=', 'held')
    .executeTakeFirst()
  if (!place) fail('NOT_SUPPORTED')
  if (!place.images.includes(image.file)) {
    fail('NOT_SUPPORTED', { message: '服务器所在的宿主机暂时没有可用的该系统镜像，请稍后再试或选择其他系统' })
  }
  const machine = await describePlaced(tx, server, place.id, image, {
    sshPort: input.sshPort ?? server.ssh_port,
    username: image.username,
    sshKeys: input.sshKeys,
  })
  const generation = server.generation + 1
  const jobId = await enqueueJob(
    tx,
    {
      serverId,
      hostId: place.host_id,
      placementId: place.id,
      orderId: server.order_id,
      generation,
      payload: { kind: 'reinstall', machine },
      secretId: input.secretId,
      askedBy: input.askedBy,
    },
    now,
  )
  await tx
    .updateTable('servers')
    .set({ generation, install_status: 'INSTALLING', updated_at: now })
    .where('id', '=', serverId)
    .execute()
  await setGeneration(tx, place.id, generation)
  return jobId
}
