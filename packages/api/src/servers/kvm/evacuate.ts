import { migratingNow } from '@vps/shared/cold-migrations'
import { jobPayload } from '@vps/shared/jobs.contract'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { refuseElsewhere } from '../../findings/findings.js'
import { letKeep } from '../../fleet/held-addresses.js'
import { addressesLeft, asBefore, keptOn } from '../../fleet/kept-addresses.js'
import { heldPlace } from '../../fleet/placements.js'
import { lockPlace } from '../../fleet/reserve.js'
import { migrates } from '../../jobs/is-migrating.js'
import type { Evacuated } from '../driver/driver.js'
import { termsOf } from './describe.js'
import { applyAnew } from './firewall-rows.js'
import { abandonMigration } from './migrate.js'
import { installAt, lockInstalled, nextGeneration } from './install.js'
import { releaseAndCleanUp } from './release.js'

const noRoom = '没有其他宿主机有足够的资源、地址和该系统的镜像'

/**
 * Off a lost host: its system is installed on another of its group, with the password, port and firewall that it has, and with its
 * addresses where all of them lead to that host, too. NOT_FOUND without a place, NO_STOCK.
 */
export async function evacuateMachine(tx: Tx, serverId: string, askedBy: string, now: Date): Promise<Evacuated> {
  const { server, image, order, spec } = await lockInstalled(tx, serverId)
  const left = (await heldPlace(tx, serverId).executeTakeFirst()) ?? fail('NOT_FOUND')
  const addresses = await addressesLeft(tx, left.id)
  if (await migrates(tx, serverId)) fail('LOCKED', { message: migratingNow })
  await refuseElsewhere(tx, serverId)
  await abandonMigration(tx, serverId, '服务器已在其他宿主机上重建', now)
  // First: the addresses that it leaves may be the only ones.
  await releaseAndCleanUp(tx, server, now)
  await letKeep(
    tx,
    addresses.map(({ address }) => address),
  )
  const wanted = { groupId: server.group_id, spec, imageFile: image.file, customerId: server.user_id, avoid: [] }
  const place = (await lockPlace(tx, wanted)) ?? fail('NO_STOCK', { message: noRoom })
  const kept = await keptOn(tx, place.hostId, addresses)
  const next = await nextGeneration(tx, server, now)
  const terms = await termsOf(tx, serverId)
  const sshKeys = (await newestKeys(tx, serverId)) ?? order.ssh_keys
  const at = { ...place, addresses: kept ?? place.addresses }
  const installed = { server: next, hostname: order.number, spec, terms, image, sshKeys }
  const jobId = await installAt(tx, at, installed, now, {
    payload: (machine) => ({ kind: 'reinstall', machine }),
    askedBy,
  })
  await applyAnew(tx, serverId)
  if (kept) await asBefore(tx, serverId, addresses, now)
  return { jobId, keepsAddresses: kept !== null }
}

/** Of the system that it had. Null: not known any more. */
async function newestKeys(tx: Tx, serverId: string): Promise<string[] | null> {
  const made = await tx
    .selectFrom('jobs')
    .select('payload')
    .where('server_id', '=', serverId)
    .where('kind', 'in', ['install', 'reinstall'])
    .where('status', '=', 'SUCCEEDED')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const payload = jobPayload.safeParse(made?.payload).data
  return payload && (payload.kind === 'install' || payload.kind === 'reinstall') ? payload.machine.sshKeys : null
}
