import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasCpuGroups, kvmWorks } from './probe.js'

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

describe('whether a host has KVM is tried by starting QEMU with it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kvm-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const asked = (script: string, timeoutMs?: number) => {
    const emulator = join(folder, `qemu-${script.length}`)
    writeFileSync(emulator, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return kvmWorks(async () => `<domainCapabilities><path>${emulator}</path></domainCapabilities>`, timeoutMs)
  }

  test('that starts, or does not', async () => {
    expect([await asked('exit 0'), await asked('echo no kvm >&2; exit 1')]).toEqual([true, false])
  })

  test('one that is too slow to tell is no answer: all its machines would be emulated until the agent starts anew', async () => {
    await expect(asked('exec sleep 30', 100)).rejects.toThrow('did not end in time')
  })
})
