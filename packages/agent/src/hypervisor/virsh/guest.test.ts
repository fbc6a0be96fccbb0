import { expect, test } from 'vitest'
import { ScriptedVirsh, virshSays } from '../../testing/scripted-virsh.js'
import { HypervisorAway } from '../hypervisor.js'
import { openGuest } from './guest.js'

const serverId = '0198c0de-0000-7000-8000-000000000001'
const guestThatSays = (said: string | Error) => {
  const host = new ScriptedVirsh({ 'qemu-agent-command': said })
  return { host, guest: openGuest(host.virsh) }
}
const answering = (value: unknown) => guestThatSays(`virsh # ${JSON.stringify({ return: value })}\nvirsh # `)

test('a guest that answers is there; one that does not is not, and that is no error', async () => {
  expect(await answering({}).guest.ping(serverId)).toBe(true)
  expect(await guestThatSays(virshSays('Guest agent is not responding')).guest.ping(serverId)).toBe(false)
  expect(await guestThatSays('virsh # \n').guest.ping(serverId)).toBe(false)
})

test('where libvirt itself is away, the guest is not told as absent', async () => {
  const away = new HypervisorAway({ kind: 'libvirt', detail: 'gone' })
  await expect(guestThatSays(away).guest.ping(serverId)).rejects.toBe(away)
})

test('a password goes on standard input, where no list of processes shows it, and in base64 as the guest agent wants it', async () => {
  const { guest, host } = answering({})
  await guest.setPassword(serverId, 'root', 'Secret-pass-1')
  const [{ args, options } = { args: [], options: {} }] = host.asked
  expect(args).toEqual([])
  expect(options.input).not.toContain('Secret-pass-1')
  const request = JSON.parse(/'(\{.*\})'/.exec(options.input ?? '')?.[1] ?? '') as {
    execute: string
    arguments: object
  }
  expect(request).toEqual({
    execute: 'guest-set-user-password',
    arguments: { username: 'root', password: Buffer.from('Secret-pass-1').toString('base64'), crypted: false },
  })
  expect(options.input).toMatch(new RegExp(`^qemu-agent-command ${serverId} --timeout 20 `))
})

test('virsh is given longer than it gives the guest, so that its own answer is what is read', async () => {
  const { guest, host } = answering({})
  await guest.setPassword(serverId, 'root', 'x')
  expect(host.asked[0]?.options.timeoutMs).toBeGreaterThan(20_000)
})

test('a name with a quote cannot break out of the command', async () => {
  const { guest, host } = answering({})
  await expect(guest.setPassword(serverId, "ro'ot", 'x')).rejects.toThrow('cannot hold a quote')
  expect(host.asked).toEqual([])
})

test('a refused password is an error', async () => {
  const { guest } = guestThatSays(virshSays('unable to execute QEMU agent command: child process has failed'))
  await expect(guest.setPassword(serverId, 'root', 'x')).rejects.toThrow('child process has failed')
})

test.each([
  [
    'the root’s figures',
    [
      { mountpoint: '/boot', 'used-bytes': 9, 'total-bytes': 10 },
      { mountpoint: '/', 'used-bytes': 1, 'total-bytes': 3 },
    ],
    33.3,
  ],
  [
    'drive C of a Windows',
    [
      { mountpoint: 'D:\\', 'used-bytes': 9, 'total-bytes': 10 },
      { mountpoint: 'C:\\', 'used-bytes': 1, 'total-bytes': 4 },
    ],
    25,
  ],
  ['never more than all', [{ mountpoint: '/', 'used-bytes': 11, 'total-bytes': 10 }], 100],
  ['nothing where the guest gives no figures', [{ mountpoint: '/' }], null],
  ['nothing where the total is 0', [{ mountpoint: '/', 'used-bytes': 0, 'total-bytes': 0 }], null],
  [
    'nothing where the guest makes up less than nothing',
    [{ mountpoint: '/', 'used-bytes': -1, 'total-bytes': 2 }],
    null,
  ],
  ['nothing where it makes up such a total', [{ mountpoint: '/', 'used-bytes': 1, 'total-bytes': -2 }], null],
  ['nothing where no root is listed', [{ mountpoint: '/srv', 'used-bytes': 1, 'total-bytes': 2 }], null],
])('how full the disk is: %s', async (_what, systems, usage) => {
  expect(await answering(systems).guest.diskUsage(serverId)).toBe(usage)
})

test('a guest that says nonsense, or nothing, tells no usage', async () => {
  expect(await answering('nonsense').guest.diskUsage(serverId)).toBeNull()
  expect(await guestThatSays('{ not json').guest.diskUsage(serverId)).toBeNull()
  expect(await guestThatSays(virshSays('not connected')).guest.diskUsage(serverId)).toBeNull()
})

test('a command is waited for, and gives its exit code; one that the guest may not run is an error', async () => {
  const { signal } = new AbortController()
  const { guest, host } = answering({ pid: 7, exited: true, exitcode: 75 })
  expect(await guest.run(serverId, 'exit 75', signal)).toBe(75)
  expect(host.asked.map(({ options }) => options.input)).toEqual([
    expect.stringContaining('guest-exec'),
    expect.stringContaining('{"pid":7}'),
  ])
  const disabled = guestThatSays(virshSays('Command guest-exec has been disabled'))
  await expect(disabled.guest.run(serverId, 'true', signal)).rejects.toThrow('has been disabled')
})

test('whether it may run commands is read from what it says that it can; one that does not answer cannot', async () => {
  const can = (enabled: boolean) => answering({ supported_commands: [{ name: 'guest-exec', enabled }] }).guest
  expect(await can(true).mayRun(serverId)).toBe(true)
  expect(await can(false).mayRun(serverId)).toBe(false)
  expect(await answering({ supported_commands: [] }).guest.mayRun(serverId)).toBe(false)
  expect(await guestThatSays(virshSays('Guest agent is not responding')).guest.mayRun(serverId)).toBe(false)
})
