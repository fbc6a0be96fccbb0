import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import ssh2 from 'ssh2'
import type { SshPayload } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newHostKey, startSshMachine, type SshMachine } from '../../testing/ssh-machine.js'
import { actOverSsh } from './act.js'
import { withSsh, type Target } from './client.js'
import { measure, parseFigures } from './commands.js'

const password = 'As-delivered-1'
let machine: SshMachine
beforeAll(async () => {
  machine = await startSshMachine(password)
})
beforeEach(() => {
  Object.assign(machine, { password, broken: false, loseAnswers: false, banner: null, runsNothing: false })
  machine.commands.length = 0
})
afterAll(() => machine.stop())

const target = (more: Partial<Target> = {}): Target => ({
  host: '127.0.0.1',
  port: machine.port,
  username: 'root',
  hostKey: null,
  ...more,
})
const act = (ssh: SshPayload['ssh'], passwords: object = {}, at = target()) =>
  actOverSsh({ kind: 'restart', ssh } as SshPayload, at, {
    known: [password],
    owner: 'Owners-pass-1',
    job: 'Brand-new-2',
    ...passwords,
  })

async function anyoneMay(run: (command: string) => void) {
  const server = new ssh2.Server({ hostKeys: [newHostKey()] }, (client) => {
    client.on('error', () => {}).on('authentication', (attempt) => attempt.accept())
    client.on('session', (accept) =>
      accept().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec()
        run(command)
        channel.exit(0)
        channel.end()
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

/** RFC 4253, 6 and 11.1: before there are keys a packet is in the clear. */
function disconnect(words: string): string {
  const text = (bytes: Buffer) => Buffer.concat([size(bytes.length), bytes])
  const payload = Buffer.concat([Buffer.from([1]), size(2), text(Buffer.from(words)), text(Buffer.alloc(0))])
  const padding = 12 - ((payload.length + 1) % 8)
  const packet = [size(1 + payload.length + padding), Buffer.from([padding]), payload, Buffer.alloc(padding)]
  return Buffer.concat(packet).toString('latin1')
}
function size(of: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(of)
  return bytes
}

describe('an act', () => {
  test.each([
    ['set-up', 'Brand-new-2', 'on', true],
    ['reset-password', 'Brand-new-2', 'on', true],
    ['lock', 'Brand-new-2', 'on', true],
    ['unlock', 'Owners-pass-1', 'on', true],
    ['restart', password, 'unknown', false],
    ['power-off', password, 'off', false],
  ] as const)(
    '%s leaves the machine with the right password and says what is proven',
    async (ssh, left, power, proven) => {
      expect(await act(ssh)).toEqual({ ok: true, power, proven })
      expect(machine.password).toBe(left)
      expect(await act(ssh, { known: [password, left] })).toEqual({ ok: true, power, proven })
      expect(machine.password).toBe(left)
      for (const secret of [password, 'Brand-new-2', 'Owners-pass-1'])
        expect(machine.commands.join('\n')).not.toContain(secret)
    },
  )

  test('tells nothing that no row takes, whatever a machine says as it ends the connection', async () => {
    const farewell = `${'x'.repeat(3999)}🚀`
    for (const [said, told] of [
      ['bye\0bye', 'byebye'],
      [farewell, 'x'.repeat(3999)],
    ] as const) {
      const rude = createServer((socket) =>
        socket.on('error', () => {}).end(`SSH-2.0-x\r\n${disconnect(said)}`, 'latin1'),
      )
      await once(rude.listen(0, '127.0.0.1'), 'listening')
      const { port } = rude.address() as AddressInfo
      expect(await act('lock', {}, target({ port }))).toMatchObject({ ok: false, detail: told })
      rude.close()
    }
  })

  test('sends the command of its kind', async () => {
    await act('restart')
    await act('power-off')
    await act('lock')
    const [restart, off, ...lock] = machine.commands
    expect([restart, off]).toEqual([expect.stringContaining('reboot'), expect.stringContaining('poweroff')])
    expect(lock).toEqual(['chpasswd', expect.stringContaining('pkill -KILL -t')])
  })

  test('as root by sudo asks first whether it may: afterwards nobody would hear that it may not', async () => {
    const commands: string[] = []
    const { server, port } = await anyoneMay((command) => commands.push(command))
    await act('restart', {}, target({ username: 'ubuntu', port }))
    expect(commands).toEqual([expect.stringMatching(/^sh -c 'sudo -n -l reboot .*\|\| exit 1; .*sudo -n reboot/)])
    server.close()
  })

  test('tries what the machine may have, likeliest first, and stops at the first that opens', async () => {
    expect(await act('set-up', { known: ['Wrong-one-1', 'Wrong-two-2', password] })).toMatchObject({ ok: true })
    expect(machine.commands).toEqual(['chpasswd'])
  })

  test('whose password is set already is done, although no old one opens', async () => {
    machine.password = 'Brand-new-2'
    expect(await act('set-up', { known: ['Wrong-one-1'] })).toMatchObject({ ok: true, proven: true })
    expect(machine.commands).toEqual([])
  })

  test('on a machine that refuses every password fails for good, and says how its tenant may mend that', async () => {
    machine.password = 'Somebody-else-1'
    expect(await act('reset-password')).toMatchObject({
      ok: false,
      message: '服务器拒绝登录：密码可能已在服务器内修改，请改回控制台显示的密码，或联系客服',
      final: true,
      power: 'unknown',
    })
    expect(await act('set-up')).toMatchObject({ message: '服务器拒绝登录' })
    expect(machine.password).toBe('Somebody-else-1')
  })

  test('on a machine that cannot set a password is tried again, says so without the password, and the old one stays', async () => {
    machine.broken = true
    const result = await act('reset-password')
    expect(result).toMatchObject({
      ok: false,
      final: false,
      message: '已登录服务器，但操作未能执行',
      detail: 'chpasswd ended with 1: chpasswd: will not have …',
    })
    expect(machine.password).toBe(password)
  })

  test('is told of a machine that nobody answers for as one to try again', async () => {
    await machine.goAway()
    try {
      expect(await act('restart')).toMatchObject({
        ok: false,
        message: '无法连接到服务器',
        final: false,
        power: 'unknown',
      })
    } finally {
      await machine.comeBack()
    }
  })

  test('sends no password to a machine that shows another host key than before', async () => {
    const { hostKey } = await measure(target(), [password])
    expect(await measure(target({ hostKey }), [password])).toMatchObject({ hostKey })
    machine.commands.length = 0
    const changed = await act('set-up', {}, target({ hostKey: 'A'.repeat(44) }))
    expect(changed).toMatchObject({ ok: false, message: '服务器主机密钥已改变，已停止操作', final: true })
    expect([machine.password, machine.commands]).toEqual([password, []])
  })

  test('with no password known is refused without a call', async () => {
    await expect(withSsh(target(), [], () => Promise.resolve())).rejects.toMatchObject({ kind: 'refused' })
  })
})

describe('the figures of a machine', () => {
  test('are read in one login', async () => {
    expect(await measure(target(), ['Wrong-one-1', password])).toMatchObject({
      cpuUsage: 25,
      memoryUsage: 75,
      diskUsage: 40,
      uptimeSeconds: 123,
    })
    expect(machine.commands).toHaveLength(1)
  })

  test('are read behind whatever a shell prints as it starts', async () => {
    machine.banner = 'Welcome!\n7 updates wait\nMemTotal: 9 kB\n'
    expect(await measure(target(), [password])).toMatchObject({ cpuUsage: 25, memoryUsage: 75, uptimeSeconds: 123 })
  })

  test('are not those of a machine on which one may log in and run nothing: its set-up would fail, and be refunded', async () => {
    machine.runsNothing = true
    machine.banner = 'This account is currently not available.\n'
    await expect(measure(target(), [password])).rejects.toMatchObject({ kind: 'not-done' })
  })

  const output = (load: string, cores: string, total: string, free: string, disk: string, uptime: string) =>
    `${load} 0 0 1/1 1\n${cores}\nMemTotal: ${total} kB\nMemAvailable: ${free} kB\n/dev/vda1 1 1 1 ${disk}% /\n${uptime}\n`

  test.each([
    ['a load beyond its cores', output('9', '2', '10', '5', '5', '1.0'), { cpuUsage: 100 }],
    ['no cores', output('1', '0', '10', '5', '5', '1.0'), { cpuUsage: null }],
    ['no load', output('-', '2', '10', '5', '5', '1.0'), { cpuUsage: null }],
    ['more memory free than there is', output('1', '2', '10', '20', '5', '1.0'), { memoryUsage: 0 }],
    ['no memory', output('1', '2', '0', '0', '5', '1.0'), { memoryUsage: null }],
    ['a third of its memory taken', output('1', '2', '3', '2', '5', '1.0'), { memoryUsage: 33.3 }],
    ['another disk last', output('1', '2', '3', '2', '5', '1.0').replace(' /\n', ' /boot\n'), { diskUsage: null }],
    ['an uptime that no row takes', output('1', '2', '3', '2', '5', `${'9'.repeat(30)}.00`), { uptimeSeconds: null }],
    ['an uptime in words', output('1', '2', '3', '2', '5', 'long'), { uptimeSeconds: null }],
  ])('with %s are right or null', (_, text, wanted) => {
    expect(parseFigures(text)).toMatchObject(wanted)
  })

  test('are within bounds or null, whatever a machine says', () => {
    const percent = (value: number | null) => value === null || (value >= 0 && value <= 100)
    const line = fc.oneof(
      fc.string(),
      fc.float().map(String),
      fc.constant('MemTotal: 1 kB'),
      fc.constant('x 1 1 1 7% /'),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const figures = parseFigures(lines.join('\n'))
        expect([figures.cpuUsage, figures.memoryUsage, figures.diskUsage].every(percent)).toBe(true)
        expect(figures.uptimeSeconds === null || Number.isInteger(figures.uptimeSeconds)).toBe(true)
      }),
    )
  })
})
