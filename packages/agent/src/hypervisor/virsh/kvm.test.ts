import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { HypervisorAway } from '../hypervisor.js'
import { virshHangs, virshSays } from '../../testing/scripted-virsh.js'
import { hasKvm, kvmWorks, openKvm } from './kvm.js'

const folder = mkdtempSync(join(tmpdir(), 'kvm-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('whether a host has KVM is tried by starting QEMU with it', () => {
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

  test('nor is one that the kernel ended, as where memory is short', async () => {
    await expect(asked('kill -KILL $$')).rejects.toThrow('SIGKILL')
  })
})

describe('a host that is not told how to run its machines', () => {
  const emulator = join(folder, 'qemu')
  const virsh = async () => `<domainCapabilities><path>${emulator}</path></domainCapabilities>`
  const noKvm = () => Promise.reject(virshSays("error: the accel 'kvm' is not supported"))

  test('that had KVM once has it for good, also where the agent starts while it does not work', async () => {
    const stateDir = join(folder, 'had')
    mkdirSync(stateDir)
    expect(await hasKvm(noKvm, stateDir)).toBe(false)
    writeFileSync(emulator, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    expect(await hasKvm(virsh, stateDir)).toBe(true)
    expect(await hasKvm(noKvm, stateDir)).toBe(true)
  })
})

describe('while the agent works', () => {
  const answering = (answers: (boolean | Error)[], wanted = true) =>
    openKvm(
      async () => wanted,
      async () => {
        const next = answers.shift()
        if (next === undefined) throw new Error('asked once more')
        if (next instanceof Error) throw next
        return next
      },
    )

  test('KVM is asked anew each time, and a start is refused only where it still does not work', async () => {
    const kvm = answering([true, false, false, true])
    await kvm.require()
    expect([await kvm.works(), await kvm.works()]).toEqual([true, false])
    await expect(kvm.require()).rejects.toMatchObject({
      final: true,
      customer: '宿主机的硬件虚拟化（KVM）不可用，服务器暂时无法启动',
    })
    await kvm.require()
    await kvm.require()
  })

  test('a start that failed is told as what it is', async () => {
    const error = virshSays('error: failed to set MSR 0x10a')
    const kvm = answering([true, false])
    expect(await kvm.reasonOf(error)).toBe(error)
    expect(await kvm.reasonOf(error)).toMatchObject({
      final: true,
      message: expect.stringContaining('KVM does not work on this host: virsh : error: failed to set MSR 0x10a'),
    })
  })

  test('a host that emulates on purpose is never asked, and never without', async () => {
    const kvm = answering([], false)
    const error = virshSays('error: no')
    expect(await kvm.works()).toBeNull()
    await kvm.require()
    expect(await kvm.reasonOf(error)).toBe(error)
  })

  test('what did not end in time says nothing of it, and an absent libvirt is that', async () => {
    const away = new HypervisorAway({ kind: 'libvirt', detail: 'gone' })
    const kvm = answering([virshHangs(), false, virshHangs(), away])
    expect([await kvm.works(), await kvm.works(), await kvm.works()]).toEqual([true, false, false])
    await expect(kvm.works()).rejects.toBe(away)
  })
})
