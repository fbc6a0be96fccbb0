import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startSshMachine } from '../../testing/ssh-machine.js'
import { withSsh } from './client.js'

/**
 * Its tenant is root there and can do this at will. Vitest fails a run in which an error had no listener; in the API it
 * ends the process, and with it everybody's shop.
 */
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
