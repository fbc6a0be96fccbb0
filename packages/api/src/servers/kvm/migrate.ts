import { migrationKinds } from '@vps/shared/cold-migrations'
import { noHostToMigrateTo } from '@vps/shared/migration-words'
import type { JobPayload, JobResult } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { currentRepositoryId } from '../../backups/repository.js'
import { addBackup, keepCopy } from '../../backups/rows.js'
import type { Tx } from '../../db/client.js'
import type { Servers } from '../../db/schema.generated.js'
import { fail } from '../../errors.js'
import { resolveOf } from '../../findings/findings.js'
import { tellOfArrived } from '../../fleet/lost.js'
import { heldPlace, setNextGeneration, type HeldPlace } from '../../fleet/placements.js'
import { freePlaces, releaseStandby } from '../../fleet/release.js'
import { hostsToMigrateTo, isForsaken, isOnLostHost, standBy, takeBack, takePlace } from '../../fleet/standby.js'
import type { JobRow } from '../../jobs/claim.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { isOfBefore } from '../../jobs/epoch.js'
import { giveUpQueued, whyLost } from '../../jobs/sweep.js'
import { must } from '../../must.js'
import type { BeginMigration, Migrate } from '../driver/driver.js'
import { describePlaced } from './describe.js'
import { catchUpFirewall } from './firewall.js'
import { applyAnew, lacksRules, savedAgain } from './firewall-rows.js'
import { jobAt } from './job-at.js'
import {
  begunOf,
  end,
  endKept,
  endUnclear,
  lockBegun,
  lockOpen,
  setStage,
  tell,
  type Migration,
} from './migration-rows.js'
import { observeReplaced } from './outcome.js'

/**
 * A machine goes to another host with its disk: turned off, copied to where backups are kept, brought back there with its
 * login proven, and only then destroyed where it was (decision 0131). Whatever fails before, it is started where it was.
 */

const graceSeconds = 60

/** For a locked server. NOT_FOUND, NO_STOCK. */
export async function askForMigration(
  tx: Tx,
  serverId: string,
  { hostId, askedBy }: Migrate,
  now: Date,
): Promise<string> {
  const place = (await heldPlace(tx, serverId).executeTakeFirst()) ?? fail('NOT_FOUND')
  const server = await readServer(tx, serverId)
  if (!(await chooseHost(tx, place, server, hostId))) fail('NO_STOCK', { message: noHostToMigrateTo })
  const id = uuidv7()
  const wanted = { from_host_id: place.hostId, to_host_id: hostId, stage: 'WAITING', asked_by: askedBy } as const
  await tx
    .insertInto('cold_migrations')
    .values({ id, server_id: serverId, ...wanted, created_at: now })
    .execute()
  await resolveOf(tx, 'failed-migration', serverId, now)
  tell(tx, server.user_id, serverId)
  return id
}

/** For a locked server. LOCKED. */
export async function beginMigration(tx: Tx, serverId: string, begin: BeginMigration, now: Date): Promise<void> {
  const waiting = await lockOpen(tx, serverId)
  if (waiting?.stage !== 'WAITING') return
  const place = await heldPlace(tx, serverId).where('host_id', '=', waiting.from_host_id).executeTakeFirst()
  const server = await readServer(tx, serverId)
  const hostId = place && (await chooseHost(tx, place, server, waiting.to_host_id))
  if (begin.refusal !== null || !hostId || !place)
    return place
      ? endKept(tx, waiting, begin.refusal ?? noHostToMigrateTo, now)
      : end(tx, waiting, '服务器已不在这台宿主机上', now)
  const generation = server.generation + 1
  await tx.updateTable('servers').set({ generation, updated_at: now }).where('id', '=', serverId).execute()
  const toId = await standBy(tx, place, { hostId, generation }, now)
  const asked = { orderId: server.order_id, askedBy: waiting.asked_by }
  const jobId = await enqueueJob(tx, { ...jobAt(place, asked), payload: turnOff }, now)
  await observeReplaced(tx, place, now)
  const places = { from_id: place.id, to_id: toId, to_host_id: hostId }
  await setStage(tx, waiting, { stage: 'STOPPING', job_id: jobId, stays_off: begin.staysOff, ...places })
}

async function chooseHost(
  tx: Tx,
  place: HeldPlace,
  server: Selectable<Servers>,
  wanted: string | null,
): Promise<string | null> {
  const hosts = await hostsToMigrateTo(tx, {
    ...place,
    groupId: server.group_id,
    customerId: server.user_id,
    bandwidthMbps: server.bandwidth_mbps,
  })
  return hosts.find(({ id }) => wanted === null || id === wanted)?.id ?? null
}

const turnOff = { kind: 'stop', force: false, graceSeconds } as const

/** After what is known of a job's end was kept. */
export async function continueMigration(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  if (!migrationKinds.includes(job.kind)) return
  const open = await lockBegun(tx, job.server_id)
  if (!open) return
  if (open.stage === 'RETURNING') {
    if (job.kind === 'destroy' && job.placement_id === open.to_id && result?.ok)
      await stay(tx, open, must(open.reason), now)
  } else if (job.id === open.job_id) {
    // Called off, but done by then: only where it runs already it stays, with what was written there.
    const isCalledOff = job.abort_requested && open.stage !== 'RESTORING'
    const ok = result?.ok === true && (open.stage !== 'STOPPING' || result.power === 'off') && !isCalledOff
    await goOn(tx, open, ok ? null : reasonOf(job, result), now)
  }
}

function reasonOf(job: JobRow, result: JobResult | null): string {
  if (job.abort_requested) return text.cancelledByAdmin
  return result === null ? whyLost(job) : result.ok ? '虚拟机没有关机' : result.message
}

/** What ended without a word: given up, called off, or its host declared lost. The order must be locked. */
export async function settleMigration(tx: Tx, serverId: string, now: Date): Promise<void> {
  const open = await lockBegun(tx, serverId)
  if (!open) return
  if (open.stage === 'RETURNING') {
    const left = await tx.selectFrom('placements').selectAll().where('id', '=', open.to_id).executeTakeFirstOrThrow()
    if (left.state === 'freed' || left.destroyed_at) await stay(tx, open, must(open.reason), now)
    return
  }
  const job = await tx.selectFrom('jobs').selectAll().where('id', '=', open.job_id).executeTakeFirstOrThrow()
  const isOpen = job.status === 'QUEUED' || job.status === 'RUNNING'
  const isLost = await isOnLostHost(tx, must(job.placement_id))
  if (isOpen && !isLost && !(await giveUpForsaken(tx, open, now))) return
  const failure = isLost ? '宿主机已宣告丢失' : isOpen ? whyLost(job) : (job.error ?? '任务已中止')
  await goOn(tx, open, job.status === 'SUCCEEDED' ? null : failure, now)
}

/** It is off for a host that is silent, and has begun nothing. */
async function giveUpForsaken(tx: Tx, open: Migration, now: Date): Promise<boolean> {
  if (open.stage !== 'RESTORING') return false
  const job = tx.selectFrom('jobs as j').select('j.id').where('j.id', '=', open.job_id).where(isForsaken)
  return (await job.executeTakeFirst()) !== undefined && (await giveUpQueued(tx, open.job_id, now))
}

/** Its order has ended, or its host is lost: its places are left. */
export async function abandonMigration(tx: Tx, serverId: string, reason: string, now: Date): Promise<void> {
  const open = await lockOpen(tx, serverId)
  if (!open) return
  const begun = begunOf(open)
  if (begun?.stage === 'STOPPING' || begun?.stage === 'SAVING') await freePlaces(tx, [begun.to_id], now)
  if (begun?.stage === 'RESTORING') await leave(tx, begun, now)
  else if (begun) await keepUp(tx, begun, now)
  await end(tx, open, open.reason ?? reason, now)
}

/** Of a stage that waits for a job; `failure` null: it is done. */
async function goOn(tx: Tx, open: Migration, failure: string | null, now: Date): Promise<void> {
  if (open.stage === 'RESTORING') return failure === null ? arrive(tx, open, now) : goBack(tx, open, failure, now)
  if (failure !== null) return giveUp(tx, open, failure, now)
  return open.stage === 'STOPPING' ? save(tx, open, now) : bringBack(tx, open, now)
}

async function save(tx: Tx, open: Migration, now: Date): Promise<void> {
  const repositoryId = await currentRepositoryId(tx)
  if (!repositoryId) return giveUp(tx, open, text.noBackupStorage, now)
  const { server_id: serverId, id: migrationId, asked_by: askedBy } = open
  const backupId = uuidv7()
  const jobId = await askNext(tx, open, { payload: { kind: 'backup', backupId } }, now)
  await addBackup(tx, { id: backupId, serverId, repositoryId, origin: 'MANUAL', askedBy, migrationId, now })
  await setStage(tx, open, { stage: 'SAVING', job_id: jobId })
}

async function bringBack(tx: Tx, open: Migration, now: Date): Promise<void> {
  const { server_id: serverId, to_id: toId } = open
  const reason = await takePlace(tx, { fromId: open.from_id, toId }, now)
  if (reason !== null) return giveUp(tx, open, reason, now)
  const backup = await tx
    .selectFrom('backups')
    .selectAll()
    .where('cold_migration_id', '=', open.id)
    .executeTakeFirstOrThrow()
  const server = await readServer(tx, serverId)
  const image = await tx.selectFrom('images').selectAll().where('id', '=', backup.image_id).executeTakeFirstOrThrow()
  const access = { sshPort: backup.ssh_port, username: backup.username, sshKeys: [] }
  const machine = await describePlaced(tx, server, toId, image, access)
  const { id: backupId, host_key: hostKey, secret_id: secretId } = backup
  await applyAnew(tx, serverId)
  const rules = (await lacksRules(tx, serverId)) ? { firewall: await savedAgain(tx, serverId, now) } : {}
  const payload = { kind: 'restore', backupId, machine, hostKey, ...rules } as const
  const jobId = await askNext(tx, open, { payload, secretId }, now)
  await setStage(tx, open, { stage: 'RESTORING', job_id: jobId })
}

async function arrive(tx: Tx, open: Migration, now: Date): Promise<void> {
  // Asked for before a restored back-up it may have come back since, with the word of then its host refuses.
  await leave(tx, open, now, await epochOf(tx, open.job_id))
  await end(tx, open, null, now)
  await tellOfArrived(tx, must(open.to_host_id), open.server_id, now)
  if (!shouldRun(open)) await askThere(tx, open, turnOff, now)
  // Again: an agent of the version before brought it back without.
  if (await lacksRules(tx, open.server_id))
    await catchUpFirewall(tx, { server_id: open.server_id, order_id: open.orderId }, now)
}

/** Nothing but its disk's copy was made of it yet. */
async function giveUp(tx: Tx, open: Migration, reason: string, now: Date): Promise<void> {
  await freePlaces(tx, [open.to_id], now)
  await stay(tx, open, reason, now)
}

/** No two guests with one address: it is started where it was once nothing of it is left there, at once if it never was. */
async function goBack(tx: Tx, open: Migration, reason: string, now: Date): Promise<void> {
  const left = await heldPlace(tx, open.server_id).executeTakeFirstOrThrow()
  const neverWas = await neverBegan(tx, open.job_id)
  if (!neverWas && !(await isOnLostHost(tx, open.to_id)) && (await isOfBefore(tx, await epochOf(tx, open.job_id))))
    return endUnclear(tx, open, { hostId: left.hostId, reason }, now)
  const isFreed = await takeBack(tx, { fromId: open.from_id, toId: open.to_id }, now)
  await tx
    .updateTable('servers')
    .set({ install_status: 'COMPLETED', power: 'unknown', power_changed_at: now, updated_at: now })
    .where('id', '=', open.server_id)
    .execute()
  await tellOfArrived(tx, open.from_host_id, open.server_id, now)
  if (neverWas) return giveUp(tx, open, reason, now)
  const destroy = { ...jobAt(left, open), payload: { kind: 'destroy' } } as const
  const jobId = await enqueueJob(tx, destroy, now, { replace: true, abort: true })
  await setStage(tx, open, { stage: 'RETURNING', job_id: jobId, reason })
  if (isFreed) await stay(tx, open, reason, now)
}

/** No try of it was ever begun, and none will be. */
async function neverBegan(tx: Tx, jobId: string): Promise<boolean> {
  const job = await tx
    .selectFrom('jobs')
    .select(['status', 'attempt'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  return job.status === 'CANCELLED' && job.attempt === 0
}

/** Where it came from. */
async function leave(tx: Tx, open: Migration, now: Date, epoch?: number): Promise<void> {
  const left = await releaseStandby(tx, open.from_id, now)
  if (!left) return
  const place = { ...left, serverId: open.server_id }
  const word = epoch === undefined ? {} : { epoch }
  const destroy = { ...jobAt(place, open), ...word, payload: { kind: 'destroy' } } as const
  await enqueueJob(tx, destroy, now, { replace: true, abort: true })
}

/** As its order says, and its owner wanted. */
const shouldRun = ({ isActive, stays_off: staysOff }: Migration) => isActive && !staysOff

/** Where it was, started again. Of a lost host nobody asks anything. */
async function stay(tx: Tx, open: Migration, reason: string, now: Date): Promise<void> {
  const isLost = await isOnLostHost(tx, open.from_id)
  if (isLost) await keepCopy(tx, open.id)
  await endKept(tx, open, reason, now)
  await keepUp(tx, open, now)
  if (shouldRun(open) && !isLost) await askThere(tx, open, { kind: 'start' }, now)
}

/** Its place has the server's generation again: a host refuses all that is older than what it was asked for before. */
async function keepUp(tx: Tx, { server_id: id, from_id: placeId }: Migration, now: Date): Promise<void> {
  const generation = (await readServer(tx, id)).generation + 1
  await tx.updateTable('servers').set({ generation, updated_at: now }).where('id', '=', id).execute()
  await setNextGeneration(tx, placeId, generation)
}

async function askThere(tx: Tx, open: Migration, payload: JobPayload, now: Date): Promise<void> {
  const place = await heldPlace(tx, open.server_id).executeTakeFirstOrThrow()
  await enqueueJob(tx, { ...jobAt(place, open), askedBy: null, payload }, now, { replace: true })
}

/** The next act of it, where its server is. */
async function askNext(
  tx: Tx,
  open: Migration,
  act: { payload: JobPayload; secretId?: string | null },
  now: Date,
): Promise<string> {
  const place = await heldPlace(tx, open.server_id).executeTakeFirstOrThrow()
  const ask = { orderId: open.orderId, askedBy: open.asked_by, secretId: act.secretId ?? null }
  return enqueueJob(tx, { ...jobAt(place, ask), payload: act.payload }, now, { ofMigration: true })
}

const epochOf = async (tx: Tx, jobId: string): Promise<number> =>
  (await tx.selectFrom('jobs').select('epoch').where('id', '=', jobId).executeTakeFirstOrThrow()).epoch

const readServer = (tx: Tx, id: string) =>
  tx.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
