import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { build } from '../../build.js'
import { closeDeps, openDeps } from '../../deps.js'
import { startApp } from '../../testing/app.js'
import { openWatched } from '../../testing/remote.js'
import { openMeeting } from './meeting.js'

test('a relay that could not listen once, as its network was down, listens for the next console', async () => {
  const app = await startApp()
  const config = { ...app.deps.config, relayAddress: '192.0.2.1' }
  const meeting = openMeeting({ ...app.deps, config })
  await expect(meeting.address()).rejects.toThrow('EADDRNOTAVAIL')
  config.relayAddress = '127.0.0.1'
  expect(await meeting.address()).toMatch(/^127\.0\.0\.1:\d+$/)
  meeting.close()
  await app.close()
})

/** What the kernel waits with (proc(5)): on an idle connection `02`, with its own questions whether the other is there. */
async function timersOf(port: number): Promise<string[]> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  const ours = lines.filter(
    ([, local, remote, state]) => state === '01' && (local?.endsWith(end) || remote?.endsWith(end)),
  )
  return ours.map(([, , , , , timer]) => timer?.slice(0, 2) ?? '')
}

test('a console between two machines notices on both that the other lost its power, though nothing is typed', async () => {
  const { sale, app, row, watching } = await openWatched()
  const { config, log, now } = sale.app.deps
  const otherDeps = await openDeps(config, { log, now })
  const other = await build(otherDeps)
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { viewer } = await watching(sale.lin, app, other)
  const port = Number((await row()).relay_address?.split(':').at(-1))
  await expect.poll(() => timersOf(port)).toEqual(['02', '02'])
  viewer.socket.close()
  await expect.poll(viewer.closed).not.toBeNull()
  await other.close()
  await closeDeps(otherDeps)
  await sale.app.close()
})
