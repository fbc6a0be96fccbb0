import { afterEach, beforeEach, expect, test } from 'vitest'
import { build } from '../../build.js'
import { closeDeps, openDeps } from '../../deps.js'
import { alterDatabase } from '../../testing/away.js'
import { openWatched } from '../../testing/remote.js'

const notWritten = 'remote console: its end could not be written'
const unheard: unknown[] = []
const hear = (error: unknown) => void unheard.push(error)
beforeEach(() => void process.on('unhandledRejection', hear))
afterEach(() => void process.off('unhandledRejection', hear))

test('a console between two processes that ends while the database is away ends neither of them', async () => {
  const { sale, app, watching } = await openWatched()
  const { config, log, now } = sale.app.deps
  const otherDeps = await openDeps(config, { log, now })
  const other = await build(otherDeps)
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { viewer, machine } = await watching(sale.lin, app, other)
  await alterDatabase(sale.app.owner, 'connection limit 0')
  machine.socket.close()
  await expect.poll(viewer.closed).not.toBeNull()
  const told = () => unheard.length > 0 || sale.app.logged().includes(notWritten)
  await expect.poll(told).toBe(true)
  expect(unheard).toEqual([])
  await alterDatabase(sale.app.owner, 'connection limit -1')
  await other.close()
  await closeDeps(otherDeps)
  await sale.app.close()
})
