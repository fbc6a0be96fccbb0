import { type Hypervisor, HypervisorError } from '../hypervisor.js'
import { act, type SimulatedHost } from './act.js'
import { diskIn, offDomainIn } from './machines.js'

export function snapshotsOf(
  host: SimulatedHost,
): Pick<Hypervisor, 'takeSnapshot' | 'thaw' | 'revertTo' | 'deleteSnapshot'> {
  const { settings, state } = host
  const ms = settings.powerMs * 0.5
  return {
    takeSnapshot: (serverId, snapshotId) =>
      act(host, { verb: 'takeSnapshot', serverId, ms }, () => {
        const disk = diskIn(state, serverId)
        if (!disk.snapshots.some(({ id }) => id === snapshotId))
          disk.snapshots.push({ id: snapshotId, passwordHash: disk.passwordHash })
      }),

    thaw: (serverId) => act(host, { verb: 'thaw', serverId, ms: 0 }, () => {}),

    revertTo: (serverId, snapshotId, jobId) =>
      act(host, { verb: 'revertTo', serverId, ms }, () => {
        const domain = offDomainIn(state, serverId)
        const disk = diskIn(state, serverId)
        const snapshot = disk.snapshots.find(({ id }) => id === snapshotId)
        if (!snapshot) throw new HypervisorError('there is no such snapshot')
        disk.passwordHash = snapshot.passwordHash
        domain.revertedBy = jobId
      }),

    deleteSnapshot: (serverId, snapshotId) =>
      act(host, { verb: 'deleteSnapshot', serverId, ms }, () => {
        for (const disk of state.disks)
          if (disk.serverId === serverId) disk.snapshots = disk.snapshots.filter(({ id }) => id !== snapshotId)
      }),
  }
}
