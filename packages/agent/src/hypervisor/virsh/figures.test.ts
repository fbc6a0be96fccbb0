import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScriptedVirsh, virshHangs, virshSays } from '../../testing/scripted-virsh.js'
import { openFigures } from './figures.js'

const told = (name: string) => `Domain: '${name}'\n  cpu.time=1000\n  balloon.rss=4096\n`
const untold = (name: string) => `Domain: '${name}'\n  cpu.time=1000\n`

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('all are asked at once, without waiting for any that is busy', async () => {
  const host = new ScriptedVirsh({ domstats: told('a') + told('b') })
  const figures = openFigures(host.virsh)
  expect([...(await figures.read(['a', 'b'])).keys()]).toEqual(['a', 'b'])
  expect(host.commands()).toEqual(['domstats --raw --nowait --cpu-total --vcpu --balloon --interface'])
  expect(figures.isSilent('a')).toBe(false)
})

test('where one holds up all, each is asked by itself, and those that answer are told', async () => {
  const host = new ScriptedVirsh({ domstats: [virshHangs(), told('a'), virshHangs(), told('c')] })
  const figures = openFigures(host.virsh)
  const read = await figures.read(['a', 'b', 'c'])
  expect([...read.keys()].toSorted()).toEqual(['a', 'c'])
  expect(
    host
      .commands()
      .slice(1)
      .map((command) => command.split(' ').at(-1)),
  ).toEqual(['a', 'b', 'c'])
  expect([figures.isSilent('a'), figures.isSilent('b'), figures.isSilent('c')]).toEqual([false, true, false])
})

test('asking by itself takes a short while only, asking all a longer one', async () => {
  const host = new ScriptedVirsh({ domstats: [virshHangs(), told('a')] })
  await openFigures(host.virsh).read(['a'])
  const [together, apart] = host.asked.map(({ options }) => options.timeoutMs ?? 0)
  expect(apart).toBeLessThan(together ?? 0)
})

test('what libvirt refuses otherwise is not taken for silence', async () => {
  const host = new ScriptedVirsh({ domstats: virshSays('failed to connect to the hypervisor') })
  await expect(openFigures(host.virsh).read(['a'])).rejects.toThrow('failed to connect')
  expect(host.asked).toHaveLength(1)
})

test('a machine is hung once it has been silent for longer than any act takes, and no longer once it answers', async () => {
  const host = new ScriptedVirsh({ domstats: [untold('a'), untold('a'), untold('a'), told('a')] })
  const figures = openFigures(host.virsh)
  await figures.read(['a'])
  expect([figures.isSilent('a'), figures.isHung('a')]).toEqual([true, false])
  vi.advanceTimersByTime(14_000)
  await figures.read(['a'])
  expect(figures.isHung('a')).toBe(false)
  vi.advanceTimersByTime(2_000)
  await figures.read(['a'])
  expect(figures.isHung('a')).toBe(true)
  await figures.read(['a'])
  expect([figures.isSilent('a'), figures.isHung('a')]).toEqual([false, false])
})

test('a machine that was off meanwhile begins anew: its old silence does not make it hung', async () => {
  const host = new ScriptedVirsh({ domstats: [untold('a'), '', untold('a')] })
  const figures = openFigures(host.virsh)
  await figures.read(['a'])
  vi.advanceTimersByTime(20_000)
  await figures.read([])
  await figures.read(['a'])
  expect([figures.isSilent('a'), figures.isHung('a')]).toEqual([true, false])
})

test('a machine that nobody has asked about is neither silent nor hung', () => {
  const figures = openFigures(new ScriptedVirsh({}).virsh)
  expect([figures.isSilent('x'), figures.isHung('x')]).toEqual([false, false])
})
