import * as verbs from '@vps/shared/verbs'
import type { BackupMade, BackupsChecked } from '@vps/shared/jobs.contract'
import { type BackupPlace, HypervisorError } from '../hypervisor/hypervisor.js'
import type { Handler, JobContext, Step } from './handler.js'
import { notThere } from './power.js'
import { takeBack, thaw } from './snapshot.js'

/**
 * The whole disk, running or off, as at a snapshot kept while it is read. A broken-off run leaves nothing that counts.
 */
export function backup(): Handler {
  let made: BackupMade | null = null
  return {
    steps: [
      {
        name: 'takeSnapshot',
        label: '固定磁盘状态',
        weight: 4,
        limit: 'imageMs',
        run: async (context) => {
          const { serverId } = context.job
          const { backupId } = backupOf(context)
          // Left by a broken-off try, perhaps hours old.
          if (context.found.snapshots.includes(backupId)) await context.hypervisor.deleteSnapshot(serverId, backupId)
          await context.hypervisor.takeSnapshot(serverId, backupId)
        },
      },
      thaw,
      {
        name: 'backUp',
        label: '复制磁盘',
        weight: 90,
        limit: 'own',
        run: async (context) => {
          const { hypervisor, memory, job, found } = context
          const hostKey = found.definedBy && (await memory.hostKeyOf(job.serverId, found.definedBy))
          // What runs may be a rescue or a disc's system, not the disk's.
          const isOther = found.rescueId !== null || found.iso?.boots === true
          const isMovable = isOther ? null : await hypervisor.canMove(job.serverId)
          made = { ...(await hypervisor.backUp(job.serverId, backupOf(context), context)), hostKey, isMovable }
        },
      },
      releaseDisk,
    ],
    plan: ({ found, done }) => {
      if (found.power === 'absent') throw notThere()
      const taking = done.has('backUp') ? [] : ['takeSnapshot']
      return new Set([...taking, 'thaw', 'backUp', releaseDisk.name])
    },
    check: (context, found) =>
      found.snapshots.includes(backupOf(context).backupId) ? 'the snapshot of the backup is still there' : null,
    proves: () => false,
    tells: () => (made ? { backup: made } : {}),
    undo: (context) => takeBack(context, backupOf(context).backupId),
  }
}

const releaseDisk: Step = {
  name: 'deleteSnapshot',
  label: '释放磁盘状态',
  weight: 4,
  limit: 'imageMs',
  run: (context) => context.hypervisor.deleteSnapshot(context.job.serverId, backupOf(context).backupId),
}

/** Also of one that is gone, or of a gone machine; and what a broken-off one left in the disk. */
export const deleteBackup: Handler = {
  steps: [
    releaseDisk,
    {
      name: 'deleteBackup',
      label: verbs.deleteBackup,
      weight: 96,
      limit: 'own',
      run: (context) => context.hypervisor.deleteBackup(context.job.serverId, backupOf(context), context.signal),
    },
  ],
  plan: (context) =>
    new Set([
      ...(context.found.snapshots.includes(backupOf(context).backupId) ? [releaseDisk.name] : []),
      'deleteBackup',
    ]),
  check: () => null,
  proves: () => false,
}

/** Whether all is there and whole. Findings are told; it fails only where nobody could look. */
export function checkBackups(): Handler {
  let told: BackupsChecked | null = null
  return {
    steps: [
      {
        name: 'checkBackups',
        label: verbs.checkBackups,
        weight: 100,
        limit: 'own',
        run: async ({ hypervisor, job: { serverId, payload, repository }, signal }) => {
          if (payload.kind !== 'checkBackups') throw new Error(`a ${payload.kind} job checks no backups`)
          if (!repository) throw noRepository()
          const { backupIds, part, parts } = payload
          told = await hypervisor.checkBackups(serverId, { repository, backupIds, part, parts }, signal)
        },
      },
    ],
    plan: () => new Set(['checkBackups']),
    check: () => null,
    proves: () => false,
    tells: () => (told ? { check: told } : {}),
  }
}

const noRepository = () => new HypervisorError('the job came without its repository', { final: true })

/** The job's, and where it is kept. */
export function backupOf({ job: { payload, repository } }: Pick<JobContext, 'job'>): BackupPlace {
  if (!('backupId' in payload)) throw new Error(`a ${payload.kind} job has no backup`)
  if (!repository) throw noRepository()
  return { backupId: payload.backupId, repository, from: 'from' in payload ? payload.from : undefined }
}
