import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run, VirshError } from './run.js'
import { forgetIdentity, hasForgotten, installGuestAgent, openPort } from './guest-scripts.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vps-scripts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function inSystem(programs: string[], script: string): Promise<string[]> {
  const log = join(folder, 'called')
  for (const name of programs) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const here = script.replaceAll(/\/var\/log\/|\/run\/|\/sys\/fs\/selinux\//g, `${folder}/`)
  await run('/bin/sh', ['-c', `PATH=${folder}\n${here}\nwait`])
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

test.each([
  ['apt-get', ['apt-get -q update', 'apt-get -q -y --no-install-recommends install qemu-guest-agent']],
  ['dnf', ['dnf -q -y install qemu-guest-agent']],
  ['yum', ['yum -q -y install qemu-guest-agent']],
  ['zypper', ['zypper -n -q install qemu-guest-agent']],
])('a guest without an agent gets one by %s, and it is started', async (manager, calls) => {
  expect(await inSystem([manager, 'systemctl'], installGuestAgent)).toEqual([
    ...calls,
    'systemctl enable --now qemu-guest-agent',
  ])
})

test('a guest that has the agent, or no package manager that we know, is left as it is', async () => {
  expect(await inSystem(['qemu-ga', 'apt-get', 'systemctl'], installGuestAgent)).toEqual([])
  rmSync(join(folder, 'qemu-ga'))
  rmSync(join(folder, 'apt-get'))
  rmSync(join(folder, 'systemctl'))
  expect(await inSystem([], installGuestAgent)).toEqual([])
})

const told = ['systemctl daemon-reload', 'systemctl try-restart ssh.socket ssh.service sshd.service']
const failedOnes = ['ssh.service', 'sshd.service'].flatMap((unit) => [
  `systemctl is-failed -q ${unit}`,
  `systemctl restart ${unit}`,
])

test('where sshd does not listen on its port it is restarted, and started where it has failed', async () => {
  expect(await inSystem(['systemctl'], openPort(2222))).toEqual([...told, ...failedOnes])
})

test('under SELinux sshd is let to its port by a module, without asking who else has the port', async () => {
  writeFileSync(join(folder, 'enforce'), '1')
  const [first] = await inSystem(['semodule'], openPort(8080))
  expect(first).toBe(`semodule -i ${folder}/vps-ssh-port.cil`)
  expect(readFileSync(join(folder, 'vps-ssh-port.cil'), 'utf8')).toContain('(allow sshd_t port_type')
  rmSync(join(folder, 'enforce'))
  rmSync(join(folder, 'called'))
  expect(await inSystem(['semodule'], openPort(8080))).toEqual([])
})

test('firewalld lets the port in, now and after a restart; one that does not run yet by its file', async () => {
  const opened = ['firewall-cmd --state', 'firewall-cmd -q --permanent --add-port=2222/tcp']
  expect(await inSystem(['firewall-cmd'], openPort(2222))).toEqual([...opened, 'firewall-cmd -q --add-port=2222/tcp'])
  rmSync(join(folder, 'called'))
  rmSync(join(folder, 'firewall-cmd'))
  expect(await inSystem(['firewall-offline-cmd'], openPort(2222))).toEqual([
    'firewall-offline-cmd -q --add-port=2222/tcp',
  ])
})

describe('a guest of another machine', () => {
  const machineId = () => readFileSync(join(folder, 'machine-id'), 'utf8')
  async function forget(known: string): Promise<number> {
    mkdirSync(join(folder, 'cloud/data'), { recursive: true })
    mkdirSync(join(folder, 'dbus'), { recursive: true })
    writeFileSync(join(folder, 'cloud/data/instance-id'), `${known}\n`)
    writeFileSync(join(folder, 'machine-id'), 'of then\n')
    const here = forgetIdentity('one-1.2')
      .replaceAll('/var/lib/', `${folder}/`)
      .replaceAll('/etc/machine-id', join(folder, 'machine-id'))
    const script = `PATH=${folder}:/usr/bin:/bin\n${here}`
    return run('/bin/sh', ['-c', script]).then(
      () => 0,
      (error: unknown) => (error instanceof VirshError ? (error.exitCode ?? -1) : -1),
    )
  }
  beforeEach(() => {
    writeFileSync(join(folder, 'cloud-init'), `#!/bin/sh\necho "$*" > ${folder}/called\n`, { mode: 0o755 })
  })

  test('is told to forget that it was, with its machine-id, and is to be started once more', async () => {
    expect(await forget('other-1.1')).toBe(hasForgotten)
    expect(readFileSync(join(folder, 'called'), 'utf8')).toBe('clean --logs\n')
    expect(machineId()).toBe('')
  })

  test('that is this one already, or has no cloud-init, is left as it is', async () => {
    expect(await forget('one-1.2')).toBe(0)
    rmSync(join(folder, 'cloud-init'))
    expect(await forget('other-1.1')).toBe(0)
    expect(machineId()).toBe('of then\n')
    expect(existsSync(join(folder, 'called'))).toBe(false)
  })

  test('whose cloud-init fails keeps what it had, and says so', async () => {
    writeFileSync(join(folder, 'cloud-init'), '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    expect(await forget('other-1.1')).toBe(1)
    expect(machineId()).toBe('of then\n')
  })
})
