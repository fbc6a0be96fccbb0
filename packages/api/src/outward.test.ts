import { randomUUID } from 'node:crypto'
import { loopback } from '@vps/shared/networks'
import { afterEach, expect, test } from 'vitest'
import { readSteps } from './metrics/remote-read.js'
import { openWriter } from './metrics/remote-write.js'
import { epayGateway } from './payments/epay/client.js'
import { lookAtZone } from './reverse-names/power-dns.js'
import { collectLog } from './testing/log.js'
import { rude, startRudeServer, type Manner, type RudeServer } from './testing/rude-server.js'

let server: RudeServer | undefined
afterEach(() => server?.stop())

/** Of what an answer without an end got rid of: what is read, and what the network holds. */
const mostTold = 48 * 1024 * 1024

test.each(Object.entries<Manner>(rude))(
  'a gateway or name server that %s is away, and let go in time: one that changed the protocol was waited for for ever',
  async (_, manner) => {
    const there = (server = await startRudeServer(manner))
    const gateway = epayGateway({ url: there.url, pid: '1', key: 'k', confirm: 'query', allowed: loopback })
    const names = { url: there.url, key: 'k', allowed: loopback }
    const answers = await Promise.all([
      gateway.query({ outTradeNo: 'R1' }, { timeoutMs: 300 }),
      lookAtZone(names, '9.10.in-addr.arpa', AbortSignal.timeout(300)),
    ])
    expect(answers).toMatchObject([{ kind: 'unknown' }, { away: true }])
    await expect.poll(there.callers).toBe(0)
    expect(there.told()).toBeLessThan(mostTold)
  },
)

test('an engine for metrics whose answer never ends is read to a bound: whatever came in ten seconds was kept', async () => {
  const there = (server = await startRudeServer(rude['never ends its body']))
  const place = { url: new URL(there.url), headers: {} }
  const subjectId = randomUUID()
  const log = collectLog('error', [])
  const asked = {
    subjectIds: [subjectId],
    figures: ['cpu_usage'],
    from: new Date(0),
    until: new Date(0),
    stepMs: 60_000,
  } as const
  expect(await readSteps(place, log, asked)).toBeNull()
  const writer = openWriter(place, log)
  const figures = { cpu_usage: 1, memory_usage: null, disk_usage: null, rx_rate: null, tx_rate: null, load1: null }
  writer.send([{ subjectId, atMs: 0, ...figures }])
  await writer.close()
  await expect.poll(there.callers).toBe(0)
  expect(there.told()).toBeLessThan(mostTold)
})
