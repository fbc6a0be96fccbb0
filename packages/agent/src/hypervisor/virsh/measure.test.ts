import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScriptedVirsh, virshHangs } from '../../testing/scripted-virsh.js'
import { openGuest } from './guest.js'
import { memoryUsage, openMeasure } from './measure.js'
import type { Storage } from './storage.js'

const id = '0198c0de-0000-7000-8000-000000000001'
const name = `vps-${id}`
const list = `${id} ${name}\n`
const state = (number: number, reason = 1) => `Domain: '${name}'\n  state.state=${number}\n  state.reason=${reason}\n`
const figures = (more: Record<string, number> = {}) =>
  Object.entries({
    'cpu.time': 5e9,
    'vcpu.current': 2,
    'balloon.rss': 1,
    'net.0.rx.bytes': 10,
    'net.0.tx.bytes': 20,
    ...more,
  })
    .map(([key, value]) => `  ${key}=${value}\n`)
    .reduce((all, line) => all + line, `Domain: '${name}'\n`)

const storage = { causeOf: (told: string) => Promise.resolve(told), usage: () => Promise.resolve(42) } as Pick<
  Storage,
  'causeOf' | 'usage'
>

function measuring(answers: string[], guestSays = '{"return":[{"mountpoint":"/","used-bytes":1,"total-bytes":4}]}') {
  const told = [...answers]
  const host = new ScriptedVirsh({ list, domstats: () => told.shift() ?? '', 'qemu-agent-command': guestSays })
  return { host, measure: openMeasure(host.virsh, storage as Storage, openGuest(host.virsh)) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a processor’s usage is what it took since the last reading, over all processors of the machine', async () => {
  const { measure } = measuring([state(1), figures({ 'cpu.time': 5e9 }), state(1), figures({ 'cpu.time': 7e9 })])
  expect((await measure.domains())[0]).toMatchObject({ serverId: id, power: 'on', cpuUsage: null })
  vi.advanceTimersByTime(4000)
  expect((await measure.domains())[0]).toMatchObject({ cpuUsage: 25, rxBytes: 10, txBytes: 20 })
})

test('a counter that went back means a start: nothing is told until there are two readings again', async () => {
  const { measure } = measuring([state(1), figures({ 'cpu.time': 9e9 }), state(1), figures({ 'cpu.time': 1e9 })])
  await measure.domains()
  vi.advanceTimersByTime(4000)
  expect((await measure.domains())[0]?.cpuUsage).toBeNull()
})

test('traffic is counted over all of its ports', async () => {
  const two = { 'net.1.rx.bytes': 5, 'net.1.tx.bytes': 7, 'net.1.rx.pkts': 1 }
  expect((await measuring([state(1), figures(two)]).measure.domains())[0]).toMatchObject({ rxBytes: 15, txBytes: 27 })
})

test('a machine that was off meanwhile begins anew', async () => {
  const { measure } = measuring([state(1), figures(), state(5), '', state(1), figures({ 'cpu.time': 6e9 })])
  await measure.domains()
  vi.advanceTimersByTime(4000)
  expect((await measure.domains())[0]).toEqual({
    serverId: id,
    power: 'off',
    condition: null,
    cpuUsage: null,
    memoryUsage: null,
    diskUsage: null,
    uptimeSeconds: null,
    rxBytes: null,
    txBytes: null,
  })
  expect((await measure.domains())[0]?.cpuUsage).toBeNull()
})

test('two readings at once make no figure out of nothing', async () => {
  const { measure } = measuring([state(1), figures(), state(1), figures({ 'cpu.time': 5.1e9 })])
  await measure.domains()
  vi.advanceTimersByTime(50)
  expect((await measure.domains())[0]?.cpuUsage).toBeNull()
})

test('more time than there was is 100 %, never more', async () => {
  const { measure } = measuring([state(1), figures(), state(1), figures({ 'cpu.time': 900e9 })])
  await measure.domains()
  vi.advanceTimersByTime(1000)
  expect((await measure.domains())[0]?.cpuUsage).toBe(100)
})

test('no report waits for a guest: how full its disk is comes with a later one, and is asked once a minute', async () => {
  const { host, measure } = measuring(Array.from({ length: 5 }, () => [state(1), figures()]).flat())
  const asked = () => host.commands().filter((command) => command.startsWith('qemu-agent-command')).length
  expect((await measure.domains())[0]?.diskUsage).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect((await measure.domains())[0]?.diskUsage).toBe(25)
  await vi.advanceTimersByTimeAsync(59_000)
  await measure.domains()
  expect(asked()).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  await measure.domains()
  await vi.advanceTimersByTimeAsync(1)
  expect(asked()).toBe(2)
})

test('a guest that does not tell how full it is is asked again sooner', async () => {
  const { host, measure } = measuring(Array.from({ length: 3 }, () => [state(1), figures()]).flat(), 'virsh # \n')
  await measure.domains()
  await vi.advanceTimersByTimeAsync(6_000)
  await measure.domains()
  await vi.advanceTimersByTimeAsync(1)
  expect(host.commands().filter((command) => command.startsWith('qemu-agent-command'))).toHaveLength(2)
})

test.each([
  ['crashed', state(6), 'off'],
  ['crashed', state(5, 3), 'off'],
  ['paused', state(3, 1), 'unknown'],
  ['io-error', state(3, 5), 'unknown'],
])('a machine that stands still tells why: %s', async (condition, told, power) => {
  const { measure } = measuring([told, ''])
  expect((await measure.domains())[0]).toMatchObject({ power, condition, cpuUsage: null })
})

test.each([
  ['that could not be started with its host', state(5, 6), id, 'crashed'],
  ['that libvirt lost at its own start', state(5, 8), id, 'crashed'],
  ['that could not be started, and was off before', state(5, 6), '', null],
  ['that its guest has shut down', state(5, 1), id, null],
])(
  'a machine %s is told as crashed where it is to come back with its host',
  async (_what, told, autostart, condition) => {
    const answers = { domstats: [told, ''], list: [list, `${autostart}\n`] }
    const virsh = new ScriptedVirsh(answers)
    const [domain] = await openMeasure(virsh.virsh, storage as Storage, openGuest(virsh.virsh)).domains()
    expect(domain).toMatchObject({ power: 'off', condition })
  },
)

test('a QEMU that is silent is told without figures, and as hung once it has been so for longer', async () => {
  const silent = [state(1), `Domain: '${name}'\n  cpu.time=1\n`]
  const { host, measure } = measuring([...silent, ...silent])
  expect((await measure.domains())[0]).toMatchObject({ power: 'on', condition: null, cpuUsage: null })
  vi.advanceTimersByTime(16_000)
  expect((await measure.domains())[0]).toMatchObject({ power: 'unknown', condition: 'hung' })
  expect(host.commands().filter((command) => command.startsWith('qemu-agent-command'))).toEqual([])
})

test('a QEMU that holds up whoever asks costs the other machines nothing', async () => {
  const other = '0198c0de-0000-7000-8000-000000000002'
  const states = `${state(1)}Domain: 'vps-${other}'\n  state.state=1\n`
  const answers = [states, virshHangs(), virshHangs(), figures().replace(name, `vps-${other}`)]
  const host = new ScriptedVirsh({
    list: `${list}${other} vps-${other}\n`,
    domstats: () => answers.shift() ?? '',
    'qemu-agent-command': '{"return":[]}',
  })
  const told = await openMeasure(host.virsh, storage as Storage, openGuest(host.virsh)).domains()
  expect(told.map(({ rxBytes }) => rxBytes)).toEqual([null, 10])
})

test('a domain that is not ours is not reported, whatever its UUID', async () => {
  const host = new ScriptedVirsh({
    list: `${id} somebodys-own\n`,
    domstats: [state(1).replace(name, 'somebodys-own'), ''],
  })
  expect(await openMeasure(host.virsh, storage as Storage, openGuest(host.virsh)).domains()).toEqual([])
})

test('memory in use leaves out what the guest could use at once; nothing is made up where it does not tell', () => {
  const told = (entries: Record<string, number>) => memoryUsage(new Map(Object.entries(entries)))
  expect(told({ 'balloon.available': 1000, 'balloon.usable': 250, 'balloon.unused': 100 })).toBe(75)
  expect(told({ 'balloon.available': 1000, 'balloon.unused': 100 })).toBe(90)
  expect(told({ 'balloon.available': 1000 })).toBeNull()
  expect(told({ 'balloon.usable': 1 })).toBeNull()
  expect(told({ 'balloon.available': 0, 'balloon.usable': 0 })).toBeNull()
  expect(told({ 'balloon.available': 100, 'balloon.usable': 200 })).toBe(0)
})

test('the host’s own figures are percentages, and its load has two decimals', async () => {
  vi.useRealTimers()
  const host = await measuring([]).measure.host()
  expect(host.memoryUsage).toBeGreaterThan(0)
  expect(host.memoryUsage).toBeLessThanOrEqual(100)
  expect(host.diskUsage).toBe(42)
  expect(host.load1).toBe(Math.round((host.load1 ?? Number.NaN) * 100) / 100)
})
