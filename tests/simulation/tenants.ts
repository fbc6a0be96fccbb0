import { firewallTemplates } from '@vps/shared/firewall'
import type { User } from '../../packages/api/src/actor.js'
import { actOnServer, type OwnersAct } from '../../packages/api/src/console/act.js'
import { removeBackup, setSchedule } from '../../packages/api/src/console/backups.js'
import { protectServer } from '../../packages/api/src/console/protect.js'
import { reinstall } from '../../packages/api/src/console/reinstall.js'
import { readMost } from '../../packages/api/src/console/snapshots.js'
import type { Tx } from '../../packages/api/src/db/client.js'
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
    snapshot: async (at) => asks(at, { kind: 'snapshot', name: '之前', most: await readMost(world.db, at.serverId) }),
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

  return {
    /** At times more than one, by two tabs at once. */
    async use(at: Tenant): Promise<void> {
      const chosen = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => random.pick(names))
      await Promise.all(chosen.map((name) => acts[name]!(at)))
    },
  }
}
