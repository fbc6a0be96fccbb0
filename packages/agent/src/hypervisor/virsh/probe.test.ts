import { expect, test } from 'vitest'
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
