import { lastingElsewhere, lastingSteps, lastingUntold } from '@vps/shared/jobs'
import { jobPayload, type JobPayload, type JobResult } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { takenBackTo } from '../../backups/rows.js'
import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import { markInGuest, settleAddresses, unsettleAddresses } from '../../fleet/added-addresses.js'
import { markDestroyed, setGeneration, type HeldPlace } from '../../fleet/placements.js'
import { freePlaces } from '../../fleet/release.js'
import { markBootable, markUnbootable } from '../../fleet/unbootable.js'
import type { JobRow } from '../../jobs/claim.js'
import { isOfBefore } from '../../jobs/epoch.js'
import { observeBackup } from './backups.js'
import { catchUpFirewall } from './firewall.js'
import { isFirewallBehind, lacksRules, markApplied } from './firewall-rows.js'
import { endFailedReinstall } from './reinstall.js'
import { forgetIso, markInserted } from './iso-rows.js'
import { forgetRescue, markEntered } from './rescue-rows.js'
import { forgetSnapshots, markMade } from './snapshot-rows.js'

/** What a job's try says of its machine and image becomes what we know. */
export async function observeMachine(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  if (job.kind === 'deleteBackup') {
    if (result?.ok) await observeBackup(tx, job, jobPayload.parse(job.payload), result, now)
    return
  }
  if (job.kind === 'destroy') {
    if (result?.ok) await markDestroyed(tx, job.placement_id)
    // Something newer is there: a stray, which an operator looks at.
    else if (result?.final && job.placement_id && (await isOfBefore(tx, job.epoch)))
      await freePlaces(tx, [job.placement_id], now)
    return
  }
  const stands = result?.ok === true || hasComeAbout(job, result)
  const payload = stands ? jobPayload.parse(job.payload) : payloadOf(job)
  const isBehind = await observePlaced(tx, job, { result, stands }, now)
  if (stands) await observeSnapshots(tx, job, payload, now)
  if (stands && job.placement_id) await observeAddresses(tx, payload, job.placement_id)
  if (stands) await observeBackup(tx, job, payload, result, now)
  await observeRescue(tx, job, payload, stands, now)
  await observeIso(tx, job, payload, stands, now)
  await observeImage(tx, job, payload, result, now)
  if (payload?.kind === 'applyFirewall' && result?.ok) await markApplied(tx, job.server_id, payload.revision)
  if (job.kind !== 'applyFirewall' && isBehind) await catchUpFirewall(tx, job, now)
}

/** Another act took its place just now: what its earlier tries had done, or that it never came, is told by nobody else. */
export async function observeReplaced(tx: Tx, { serverId, hostId }: HeldPlace, now: Date): Promise<void> {
  const replaced = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('host_id', '=', hostId)
    .where('status', '=', 'SUPERSEDED')
    .where('finished_at', '=', now)
    .execute()
  for (const job of replaced) await observeUntold(tx, job, now)
}

/** The same of one that an operator called off, or that another took the place of when its try was over. */
export async function observeUntold(tx: Tx, job: JobRow, now: Date): Promise<void> {
  if (hasComeAbout(job, job.result)) return observeMachine(tx, job, null, now)
  const payload = payloadOf(job)
  await observeRescue(tx, job, payload, false, now)
  await observeIso(tx, job, payload, false, now)
  if (job.kind !== 'applyFirewall' && (await lacksRules(tx, job.server_id))) await catchUpFirewall(tx, job, now)
}

type Seen = { result: JobResult | null; stands: boolean }

/** Done by a try that failed or was broken off later: nothing takes it back (the agent's `jobs/`). */
function hasComeAbout(job: JobRow, result: JobResult | null): boolean {
  const last = job.kind === 'restore' && isOfAnother(job) ? lastingElsewhere : lastingSteps[job.kind]
  const untold = result === null ? lastingUntold[job.kind] : undefined
  return job.steps.some(({ name, status }) => (name === last || name === untold) && status === 'done')
}

const mustLogIn = (job: JobRow) => job.kind === 'reinstall' || (job.kind === 'restore' && isOfAnother(job))

const isOfAnother = (job: JobRow) => bringsAnother(payloadOf(job))
const bringsAnother = (payload: Payload) => payload?.kind === 'restore' && payload.from !== undefined

type Payload = JobPayload | undefined

/** Undefined: what no agent could be given. */
const payloadOf = (job: JobRow): Payload => jobPayload.safeParse(job.payload).data

/** Nothing once the server left the place. Gives whether its host lacks the last rules. */
async function observePlaced(tx: Tx, job: JobRow, { result, stands }: Seen, now: Date): Promise<boolean> {
  const server = await tx
    .selectFrom('servers as s')
    .innerJoin('placements as p', 'p.server_id', 's.id')
    .select(['s.id', 's.user_id', 's.power', isFirewallBehind.as('isBehind')])
    .where('p.id', '=', job.placement_id)
    .where('p.state', '=', 'held')
    .forUpdate('s')
    .executeTakeFirst()
  if (!server) return false
  const power = result === null || result.power === 'absent' ? 'unknown' : result.power
  const isWhole = result?.ok === true || (stands && !mustLogIn(job))
  await tx
    .updateTable('servers')
    .set({
      ...(power === server.power ? {} : { power, power_changed_at: sql`clock_timestamp()` }),
      ...(isSetUp(job) ? { install_status: result?.ok ? 'COMPLETED' : 'FAILED' } : {}),
      // A reinstall may have failed before.
      ...(job.kind === 'restore' && stands ? { install_status: isWhole ? 'COMPLETED' : 'FAILED' } : {}),
      ...((job.kind === 'resetPassword' || job.kind === 'revert') && isWhole ? { secret_id: job.secret_id } : {}),
      ...((job.kind === 'reinstall' || job.kind === 'restore') && isWhole ? madeAnew(job) : {}),
      ...(isWhole ? await bootedIso(tx, job, result?.ok === true && result.proven, now) : {}),
      updated_at: now,
    })
    .where('id', '=', server.id)
    .execute()
  if (job.kind === 'reinstall' && result?.ok === false) await endFailedReinstall(tx, job, result, now)
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: server.id })
  return server.isBehind
}

async function observeSnapshots(tx: Tx, job: JobRow, payload: Payload, now: Date): Promise<void> {
  if (payload?.kind === 'snapshot') await markMade(tx, payload.snapshotId, now)
  if (payload?.kind === 'deleteSnapshot') await forgetSnapshots(tx, { id: payload.snapshotId })
  if (payload?.kind === 'reinstall' || payload?.kind === 'restore') {
    if (job.placement_id) await setGeneration(tx, job.placement_id, job.generation)
    await forgetSnapshots(tx, { serverId: job.server_id })
  }
}

/** A guest made by its seed has all; one brought back may lack later ones. */
async function observeAddresses(tx: Tx, payload: Payload, placementId: string): Promise<void> {
  if (payload?.kind === 'reinstall' || bringsAnother(payload)) await settleAddresses(tx, placementId)
  else if (payload?.kind === 'restore') {
    const then = await takenBackTo(tx, payload.backupId)
    if (then) await unsettleAddresses(tx, placementId, then)
  } else if (payload?.kind === 'revert') await markInGuest(tx, placementId, [])
}

/** A machine made anew is in none; after a failure it is as it was. */
async function observeRescue(tx: Tx, job: JobRow, payload: Payload, stands: boolean, now: Date): Promise<void> {
  if (payload?.kind === 'enterRescue') {
    if (stands) await markEntered(tx, payload.rescueId, now)
    else await forgetRescue(tx, { id: payload.rescueId })
  }
  if (stands && (payload?.kind === 'leaveRescue' || payload?.kind === 'reinstall' || payload?.kind === 'restore'))
    await forgetRescue(tx, { serverId: job.server_id })
}

async function observeIso(tx: Tx, job: JobRow, payload: Payload, stands: boolean, now: Date): Promise<void> {
  if (payload?.kind === 'insertIso') {
    if (stands) await markInserted(tx, payload.isoId, now)
    else await forgetIso(tx, { id: payload.isoId })
  }
  if (stands && (payload?.kind === 'ejectIso' || payload?.kind === 'reinstall' || payload?.kind === 'restore'))
    await forgetIso(tx, { serverId: job.server_id })
}

const isSetUp = (job: JobRow) => job.kind === 'install' || job.kind === 'reinstall'

function madeAnew(job: JobRow) {
  const payload = payloadOf(job)
  if (payload?.kind !== 'reinstall' && payload?.kind !== 'restore') return {}
  const { image, sshPort, username } = payload.machine
  return {
    image_id: image.id,
    os_name: image.osName,
    os_version: image.osVersion,
    ssh_port: sshPort,
    username,
    secret_id: job.secret_id,
    iso_booted_at: null,
  }
}

/** Its owner may have installed a system from it; not where our password works. */
async function bootedIso(tx: Tx, job: JobRow, proven: boolean, now: Date) {
  if (proven) return { iso_booted_at: null }
  const payload = payloadOf(job)
  if (payload?.kind === 'insertIso') return payload.boots ? { iso_booted_at: now } : {}
  if (payload?.kind === 'revert') return bootedBefore(tx, 'snapshots', payload.snapshotId)
  return payload?.kind === 'restore' ? bootedBefore(tx, 'backups', payload.backupId) : {}
}

/** As when the disk was like that. */
const bootedBefore = (tx: Tx, copies: 'backups' | 'snapshots', id: string) =>
  tx.selectFrom(copies).select('iso_booted_at').where('id', '=', id).executeTakeFirst()

/** An answer after being made anew proves that the image boots; an unasked machine proves nothing. */
async function observeImage(tx: Tx, job: JobRow, payload: Payload, result: JobResult | null, now: Date): Promise<void> {
  if (job.host_id === null || result === null) return
  if (!result.ok) {
    if (result.unbootable && !(await hadVisitor(tx, job)))
      await markUnbootable(tx, job.host_id, result.unbootable, result.message, now)
    return
  }
  if (!isSetUp(job) && job.kind !== 'enterRescue') return
  if (!payload || !('machine' in payload) || payload.machine.image.readiness === 'none') return
  await markBootable(tx, job.host_id, payload.machine.image.file, now)
}

/** At its screen or serial line, where a key holds a boot up: no tenant takes an image off the shop. */
async function hadVisitor(tx: Tx, { server_id, started_at }: JobRow): Promise<boolean> {
  const visit = await tx
    .selectFrom('remote_consoles')
    .select('id')
    .where('server_id', '=', server_id)
    .where('opened_at', 'is not', null)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', started_at)]))
    .limit(1)
    .executeTakeFirst()
  return visit !== undefined
}
