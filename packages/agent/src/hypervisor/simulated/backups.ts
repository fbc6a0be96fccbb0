import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { pauseOrThrow } from '../../wait.js'
import { type Hypervisor, HypervisorError } from '../hypervisor.js'
import { act, type SimulatedHost } from './act.js'
import { diskIn, domainIn, findIn, readSeed } from './machines.js'
import { writeWhole } from './state.js'
import { stamp } from './told.js'

const kept = z.object({
  diskGb: z.number(),
  /** Inside the guest. */
  passwordHash: z.string().nullable(),
  hostKey: z.string().nullable(),
})

/** "Elsewhere" is a folder beside the hosts' states: writes to no repository. */
export function backupsOf(
  host: SimulatedHost,
): Pick<Hypervisor, 'backUp' | 'restoreDisk' | 'deleteBackup' | 'checkBackups' | 'testRepository' | 'removeOthers'> {
  const { settings, state } = host
  const fileOf = (serverId: string, backupId: string) => path.join(settings.backupsDir, `${serverId}.${backupId}.json`)
  const backupIn = (serverId: string, backupId: string) => {
    const file = fileOf(serverId, backupId)
    return existsSync(file) ? kept.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
  }
  return {
    async backUp(serverId, { backupId }, { signal, tell }) {
      const { diskGb, snapshots, hostKey } = diskIn(state, serverId)
      const isThere = backupIn(serverId, backupId) !== undefined
      const snapshot = snapshots.find(({ id }) => id === backupId)
      if (!isThere && !snapshot) throw new HypervisorError('there is no snapshot to back up')
      const passwordHash = snapshot?.passwordHash ?? null
      for (const share of isThere ? [] : [0.25, 0.5, 0.75]) {
        await pauseOrThrow(settings.installMs / 4, signal)
        await tell(share)
      }
      await act(host, { verb: 'backUp', serverId, ms: 0 }, () => {
        if (!isThere) writeWhole(fileOf(serverId, backupId), { diskGb, passwordHash, hostKey: hostKey ?? null })
      })
      const diskBytes = diskGb * 1024 ** 3
      return { diskBytes, addedBytes: isThere ? null : Math.round(diskBytes / 20) }
    },

    async restoreDisk(serverId, machine, generation, { backupId, from = serverId }, { signal, tell }) {
      const isThere = state.disks.some(
        (one) => one.serverId === serverId && stamp(one.generation) === stamp(generation),
      )
      if (isThere) return
      const backup = backupIn(from, backupId)
      if (!backup) throw new HypervisorError('there is no such backup', { final: true, customer: text.noBackup })
      await pauseOrThrow(settings.installMs / 4, signal)
      await tell(0.5)
      const { passwordHash, hostKey } = backup
      const diskGb = Math.max(backup.diskGb, machine.diskGb)
      await act(host, { verb: 'restoreDisk', serverId, ms: settings.installMs / 4 }, () => {
        state.disks.push({ serverId, generation, diskGb, passwordHash, hostKey, addresses: [], snapshots: [] })
      })
    },

    async deleteBackup(serverId, { backupId }, signal) {
      await pauseOrThrow(settings.powerMs * 0.5, signal)
      await act(host, { verb: 'deleteBackup', serverId, ms: 0 }, () => {
        rmSync(fileOf(serverId, backupId), { force: true })
      })
    },

    async checkBackups(serverId, { backupIds }, signal) {
      await pauseOrThrow(settings.powerMs, signal)
      await act(host, { verb: 'checkBackups', serverId, ms: 0 }, () => {})
      const lost = backupIds.filter((id) => !backupIn(serverId, id))
      return { isWhole: lost.length === 0, detail: lost.length > 0 ? `not there any more: ${lost.join(', ')}` : '' }
    },

    testRepository: () => act(host, { verb: 'testRepository', serverId: '', ms: settings.powerMs }, () => {}),

    removeOthers: (serverId, generation) =>
      act(host, { verb: 'removeOthers', serverId, ms: 0 }, () => {
        const stays = (one: SimulatedHost['state']['disks'][number] | SimulatedHost['state']['seeds'][number]) =>
          one.serverId !== serverId || stamp(one.generation) === stamp(generation)
        state.disks = state.disks.filter(stays)
        state.seeds = state.seeds.filter((one) => one.serverId !== serverId)
        state.rescues = state.rescues.filter((one) => one.serverId !== serverId)
        state.debris = state.debris.filter((one) => one.serverId !== serverId)
      }),
  }
}

/** For another server's backup. */
export function identitiesOf(host: SimulatedHost): Pick<Hypervisor, 'canMove' | 'takeIdentity'> {
  const { settings, state } = host
  return {
    canMove: async (serverId) => (findIn(state, serverId, Date.now()).power === 'on' ? true : null),

    takeIdentity: (serverId, generation) =>
      act(host, { verb: 'takeIdentity', serverId, ms: settings.powerMs }, () => {
        const domain = domainIn(state, serverId)
        const disk = state.disks.find((one) => one.serverId === serverId && stamp(one.generation) === stamp(generation))
        if (disk) disk.passwordHash = null
        readSeed(state, serverId, domain)
      }),
  }
}
