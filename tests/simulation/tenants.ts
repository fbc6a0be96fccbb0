import { firewallTemplates } from '@vps/shared/firewall'
import type { User } from '../../packages/api/src/actor.js'
import { actOnServer, type OwnersAct } from '../../packages/api/src/console/act.js'
import { removeBackup, setSchedule } from '../../packages/api/src/console/backups.js'
import { protectServer } from '../../packages/api/src/console/protect.js'
import { reinstall } from '../../packages/api/src/console/reinstall.js'
import type { Tx } from '../../packages/api/src/db/client.js'
import { inTx } from '../../packages/api/src/db/tx.js'
import { Refusal } from '../../packages/api/src/errors.js'
import type { Random } from './random.js'
import type { World } from './world.js'

type Attempt = <T>(act: (tx: Tx) => Promise<T>) => Promise<T | null>
export type Tenant = { serverId: string; orderId: string; owner: User }

/** What owners do with their machines, in any order and at any time. */
export function openTenants(world: World, random: Random, attempt: Attempt) {
  const sealed = () => world.floor.deps.vault.seal(`Secret-pass-${random.between(1, 9)}`)
  const asks = ({ serverId, orderId, owner }: Tenant, act: OwnersAct, hasSecret = false) =>
    attempt((tx) =>
      actOnServer(tx, owner, { serverId, orderId, act, secret: hasSecret ? sealed() : null }, world.now()),
    )
  const idsOf = async (query: { execute: () => Promise<{ id: string }[]> }) =>
    (await query.execute()).map(({ id }) => id)
  const snapshots = ({ serverId }: Tenant) =>
    idsOf(world.db.selectFrom('snapshots').select('id').where('server_id', '=', serverId).orderBy('id'))
  const backups = ({ serverId }: Tenant) =>
    idsOf(world.db.selectFrom('backups').select('id').where('server_id', '=', serverId).orderBy('id'))
  const allBackups = ({ owner }: Tenant) =>
    idsOf(
      world.db
        .selectFrom('backups as b')
        .innerJoin('servers as s', 's.id', 'b.server_id')
        .select('b.id')
        .where('s.user_id', '=', owner.id)
        .orderBy('b.id'),
    )
  const isos = () => idsOf(world.db.selectFrom('images').select('id').where('kind', '=', 'iso').orderBy('id'))
  const one = async (ids: Promise<string[]>, act: (id: string) => Promise<unknown>) => {
    const all = await ids
    if (all.length > 0) await act(random.pick(all))
  }

  const acts: Record<string, (at: Tenant) => Promise<unknown>> = {
    start: (at) => asks(at, { kind: 'start' }),
    restart: (at) => asks(at, { kind: 'restart' }),
    stop: (at) => asks(at, { kind: 'stop', force: random.chance(0.4) }),
    resetPassword: (at) => asks(at, { kind: 'resetPassword', byRestart: random.chance(0.5) }, true),
    snapshot: (at) => asks(at, { kind: 'snapshot', name: '之前' }),
    revert: (at) => one(snapshots(at), (snapshotId) => asks(at, { kind: 'revert', snapshotId })),
    deleteSnapshot: (at) => one(snapshots(at), (snapshotId) => asks(at, { kind: 'deleteSnapshot', snapshotId })),
    enterRescue: (at) => asks(at, { kind: 'enterRescue' }, true),
    leaveRescue: (at) => asks(at, { kind: 'leaveRescue' }),
    insertIso: (at) => one(isos(), (imageId) => asks(at, { kind: 'insertIso', imageId, boots: random.chance(0.5) })),
    ejectIso: (at) => asks(at, { kind: 'ejectIso' }),
    async applyFirewall(at) {
      const saved = await world.db
        .selectFrom('firewalls')
        .select('revision')
        .where('server_id', '=', at.serverId)
        .executeTakeFirst()
      const firewall = random.pick(firewallTemplates).made(22)
      await asks(at, { kind: 'applyFirewall', seen: saved?.revision ?? 0, firewall })
    },
    backup: (at) => asks(at, { kind: 'backup', origin: 'MANUAL', again: null }),
    restore: (at) => one(backups(at), (backupId) => asks(at, { kind: 'restore', backupId })),
    restoreElsewhere: (at) => one(allBackups(at), (backupId) => asks(at, { kind: 'restore', backupId })),
    removeBackup: (at) =>
      one(backups(at), (backupId) =>
        attempt((tx) => removeBackup(tx, at.owner, { serverId: at.serverId, backupId }, world.now())),
      ),
    async schedule(at) {
      const daily = { frequency: 'daily', hour: random.between(0, 23) } as const
      const schedule = random.chance(0.7) ? daily : ({ frequency: 'off' } as const)
      await attempt((tx) => setSchedule(tx, at.owner, { serverId: at.serverId, schedule }, world.now()))
    },
    reinstall: (at) =>
      attempt((tx) => {
        const system = { osName: 'Debian', osVersion: '12', sshPort: null, sshKeyIds: [], secret: sealed() }
        return reinstall(tx, at.owner, { serverId: at.serverId, orderId: at.orderId, ...system }, world.now())
      }),
    protect: (at) =>
      attempt((tx) => protectServer(tx, at.owner, { id: at.serverId, protected: random.chance(0.3) }, world.now())),
  }
  const names = Object.keys(acts)

  /** One after another, on what the year has left of it: each must be taken, and succeed. */
  const walk: Record<string, (at: Tenant) => Promise<OwnersAct | null>> = {
    leaveRescue: async (at) => ((await has('rescues', at)) ? { kind: 'leaveRescue' } : null),
    ejectIso: async (at) => ((await has('inserted_isos', at)) ? { kind: 'ejectIso' } : null),
    start: async () => ({ kind: 'start' }),
    'delete the first snapshot': async (at) => deleted((await snapshots(at))[0]),
    'delete the other': async (at) => deleted((await snapshots(at))[0]),
    snapshot: async () => ({ kind: 'snapshot', name: '之后' }),
    revert: async (at) => reverted((await snapshots(at))[0]),
    restore: async (at) => restored((await whole(at))[0]),
    'restore the last': async (at) => restored((await whole(at)).at(-1)),
    enterRescue: async () => ({ kind: 'enterRescue' }),
    'leave again': async () => ({ kind: 'leaveRescue' }),
    resetPassword: async () => ({ kind: 'resetPassword', byRestart: true }),
    stop: async () => ({ kind: 'stop', force: false }),
    'start again': async () => ({ kind: 'start' }),
  }
  const deleted = (snapshotId?: string) => (snapshotId ? ({ kind: 'deleteSnapshot', snapshotId } as const) : null)
  const reverted = (snapshotId?: string) => (snapshotId ? ({ kind: 'revert', snapshotId } as const) : null)
  const restored = (backupId?: string) => (backupId ? ({ kind: 'restore', backupId } as const) : null)
  const whole = ({ serverId }: Tenant) =>
    idsOf(
      world.db
        .selectFrom('backups')
        .select('id')
        .where('server_id', '=', serverId)
        .where('made_at', 'is not', null)
        .where('forget_at', 'is', null)
        .orderBy('id'),
    )
  const has = async (table: 'rescues' | 'inserted_isos', { serverId }: Tenant) =>
    (await world.db.selectFrom(table).select('id').where('server_id', '=', serverId).execute()).length > 0

  return {
    /** Also where it is protected: its owner wants it. */
    async makeAnew(at: Tenant) {
      await attempt((tx) => protectServer(tx, at.owner, { id: at.serverId, protected: false }, world.now()))
      await acts['reinstall']?.(at)
    },

    /** That everything still can be done with the machines; `work` has their hosts do it. Gives faults as sentences. */
    async tryEverything(all: readonly Tenant[], work: () => Promise<void>): Promise<string[]> {
      const faults: string[] = []
      for (const at of all)
        await attempt((tx) => protectServer(tx, at.owner, { id: at.serverId, protected: false }, world.now()))
      for (const [name, actOf] of Object.entries(walk)) {
        const asked: { at: Tenant; jobId: string }[] = []
        for (const at of all) {
          const act = await actOf(at)
          const secret = act?.kind === 'resetPassword' || act?.kind === 'enterRescue' ? sealed() : null
          const { serverId, orderId } = at
          try {
            if (!act) continue
            const jobId = await inTx(world.db, (tx) =>
              actOnServer(tx, at.owner, { serverId, orderId, act, secret }, world.now()),
            )
            asked.push({ at, jobId })
          } catch (error) {
            // Its host may be full.
            const isFull = act?.kind === 'snapshot' && error instanceof Refusal && error.code === 'NO_STOCK'
            if (!isFull) faults.push(`${name} of ${serverId} is refused: ${String(error)}`)
          }
        }
        await work()
        for (const { at, jobId } of asked) {
          const { status, error } = await world.db
            .selectFrom('jobs')
            .select(['status', 'error'])
            .where('id', '=', jobId)
            .executeTakeFirstOrThrow()
          if (status !== 'SUCCEEDED') faults.push(`${name} of ${at.serverId} is ${status}: ${error}`)
        }
      }
      return faults
    },

    /** At times more than one, by two tabs at once. */
    async use(at: Tenant): Promise<void> {
      const chosen = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => random.pick(names))
      await Promise.all(chosen.map((name) => acts[name]!(at)))
    },
  }
}
