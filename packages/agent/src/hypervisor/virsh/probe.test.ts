import { expect, test } from 'vitest'
import { withTemporaryFolder } from '../../testing/agent.js'
import { ScriptedVirsh, virshSays } from '../../testing/scripted-virsh.js'
import { probeGuard } from './guards.js'
import { hasCpuGroups } from './probe.js'

const all = 'cpuset cpu io memory pids\n'

test.each([
  ['nothing said takes all that the kernel has', '# cgroup_controllers = [ ]\n', all, true],
  ['those that are named', 'cgroup_controllers = [ "cpu", "cpuacct" ]\n', all, true],
  ['named over several lines', 'cgroup_controllers = [\n  "devices",\n  "cpu",\n]\n', all, true],
  ['none of them', 'cgroup_controllers = [ ]\n', all, false],
  ['another one of a name that begins so', 'cgroup_controllers = [ "cpuset" ]\n', all, false],
  ['a kernel without it', '', 'cpuset io memory\n', false],
])('shares of processors where libvirt has control groups for them: %s', (_what, configured, controllers, has) => {
  expect(hasCpuGroups(configured, controllers)).toBe(has)
})

test('a host that had no room for trying nwfilter out is not taken for one without it: its machines would be unguarded', async () => {
  const none = { guard: null, storageDir: '/none' }
  const full = Object.assign(new Error('ENOSPC: no space left on device, mkdtemp'), { code: 'ENOSPC' })
  const { virsh } = new ScriptedVirsh({})
  await expect(probeGuard(virsh, () => Promise.reject(full), none)).rejects.toBe(full)
  const libvirtIsFull = virshSays("error: cannot create '/etc/libvirt/nwfilter/vps.xml': No space left on device")
  const told = new ScriptedVirsh({ 'nwfilter-define': libvirtIsFull })
  await expect(probeGuard(told.virsh, withTemporaryFolder, none)).rejects.toBe(libvirtIsFull)
})
