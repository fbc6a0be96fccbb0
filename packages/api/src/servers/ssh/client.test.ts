import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { newHostKey, startSshMachine } from '../../testing/ssh-machine.js'
import { withSsh } from './client.js'

/** A tenant can do this at will. Vitest fails a run with an unheard error, which would end the API. */
test.each(['while a command runs', 'when it is left'])(
  'a machine that resets the connection %s does not end the API',
  async (moment) => {
    const machine = await startSshMachine('Known-Password-1')
    let resets = false
    const between = createServer((socket) => {
      const inner = connect(machine.port, '127.0.0.1').on('error', () => {})
      socket.on('error', () => {}).pipe(inner)
      inner.pipe(socket)
      socket.on('close', () => inner.destroy())
      socket.on('data', () => resets && socket.resetAndDestroy())
    }).listen(0, '127.0.0.1')
    await once(between, 'listening')
    const target = { host: '127.0.0.1', port: (between.address() as AddressInfo).port, username: 'root', hostKey: null }
    const work = withSsh(target, ['Known-Password-1'], async (shell) => {
      if (moment === 'when it is left') await shell.run('true')
      resets = true
      return moment === 'while a command runs' ? shell.run('cat /proc/loadavg') : null
    })
    const end = await work.then(
      (done) => done?.code ?? null,
      (error: unknown) => String(error),
    )
    expect(end).not.toBe(0)
    await pause(200)
    between.close()
    await machine.stop()
  },
)

test.each(['stdout', 'stderr'] as const)(
  'a machine that answers without end on %s is left at once, however much it has to say',
  async (way) => {
    let sentBytes = 0
    const server = new ssh2.Server({ hostKeys: [newHostKey()] }, (client) => {
      client.on('error', () => {})
      client.on('authentication', (attempt) => attempt.accept())
      client.on('session', (accept) =>
        accept().on('exec', (acceptExec) => {
          const channel = acceptExec()
          const out = way === 'stdout' ? channel : channel.stderr
          const say = (): void => {
            while (channel.writable && sentBytes < 64 * 1024 ** 2 && out.write(Buffer.alloc(32 * 1024)))
              sentBytes += 32 * 1024
            if (sentBytes < 64 * 1024 ** 2) return void out.once('drain', say)
            channel.exit(0)
            channel.end()
          }
          say()
        }),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const target = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, username: 'root', hostKey: null }
    const asked = withSsh(target, ['Any-Password-1'], async (shell) => (await shell.run('nproc')).code)
    await expect(asked).rejects.toThrow('without end')
    expect(sentBytes).toBeLessThan(8 * 1024 ** 2)
    server.close()
  },
)

/** As FreeBSD's is delivered: PAM asks, and no password is taken unasked. */
test('a machine that asks for its password by keyboard-interactive is told it, each only once', async () => {
  const machine = await startSshMachine('Known-Password-1')
  machine.takes = 'keyboard-interactive'
  const target = { host: '127.0.0.1', port: machine.port, username: 'root', hostKey: null }
  const heard = await withSsh(target, ['Former-Password-1', 'Known-Password-1'], (shell) =>
    shell.run('cat /proc/loadavg'),
  )
  expect(heard.code).toBe(0)
  expect(machine.refusals).toBe(1)
  await expect(withSsh(target, ['Wrong-1', 'Wrong-2'], (shell) => shell.run('true'))).rejects.toMatchObject({
    kind: 'refused',
  })
  expect(machine.refusals).toBe(3)
  await machine.stop()
})
