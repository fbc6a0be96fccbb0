import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withTemporaryFolder } from '../../testing/agent.js'
import { ScriptedVirsh, virshHangs } from '../../testing/scripted-virsh.js'
import { type Access, GuestStill } from '../hypervisor.js'
import { openBoot } from './boot.js'
import { openDomains } from './domains.js'
import { openGuest } from './guest.js'
import type { Storage } from './storage.js'

const id = '0198c0de-0000-7000-8000-000000000001'
const state = (number: number, reason = 1) => `Domain: 'x'\n  state.state=${number}\n  state.reason=${reason}\n`
const moved = (requests: number) => `Domain: 'x'\n  block.0.rd.reqs=${requests}\n`
const access = (readiness: Access['readiness']): Access => ({ address: '127.0.0.1', port: 1, username: 'x', readiness })

function booting({
  power = state(1),
  movement = () => moved(1),
  agent = '{"return":{}}',
  full = false,
}: {
  power?: string
  movement?: () => string | Error
  agent?: string | Error | (() => string | Error)
  full?: boolean
}) {
  const host: ScriptedVirsh = new ScriptedVirsh({
    list: power === '' ? '' : id,
    domstats: () => (host.asked.at(-1)?.args.includes('--block') ? movement() : power),
    'qemu-agent-command': agent,
  })
  const storage = { causeOf: async (told: string) => (full ? 'disk-full' : told) } as Pick<Storage, 'causeOf'>
  return openBoot(openDomains(host.virsh, withTemporaryFolder), storage as Storage, openGuest(host.virsh))
}
const signal = new AbortController().signal

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function ending(wait: Promise<void>, ms = 20_000): Promise<unknown> {
  let end: unknown = 'still waiting'
  void wait.then(
    () => (end = 'up'),
    (error: unknown) => (end = error),
  )
  await vi.advanceTimersByTimeAsync(ms)
  return end
}

test('an image that promises nothing is up as soon as its machine is on', async () => {
  expect(await ending(booting({}).awaitBoot(id, access('none'), signal))).toBe('up')
})

test('a machine that somebody pauses while it boots ends the try, and says nothing of its image', async () => {
  for (const readiness of ['ssh', 'guest-agent', 'none'] as const) {
    const end = await ending(booting({ power: state(3) }).awaitBoot(id, access(readiness), signal))
    expect(end).toMatchObject({ final: false, message: 'somebody has paused the machine', unbootable: null })
  }
  // As libvirt starts it.
  expect(await ending(booting({ power: state(3, 11) }).awaitBoot(id, access('ssh'), signal))).toBe('still waiting')
})

test('an image with an agent is up when that answers, and not before', async () => {
  let asked = 0
  const agent = () => ((asked += 1) < 4 ? virshHangs() : '{"return":{}}')
  expect(await ending(booting({ agent }).awaitBoot(id, access('guest-agent'), signal))).toBe('up')
  expect(asked).toBe(4)
  const silent = booting({ agent: virshHangs() })
  expect(await ending(silent.awaitBoot(id, access('guest-agent'), signal))).toBe('still waiting')
})

test.each([
  ['off', state(5)],
  ['absent', ''],
])('a machine that goes %s while it boots ends the wait', async (power, told) => {
  const end = await ending(booting({ power: told }).awaitBoot(id, access('none'), signal))
  expect(end).toMatchObject({ message: `the machine went ${power} while it booted`, final: false })
})

test.each([
  [false, '宿主机的磁盘读写出错'],
  [true, '宿主机存储空间不足'],
])(
  'a machine that was paused because its disk cannot be written ends it for good (storage full: %s)',
  async (full, customer) => {
    for (const readiness of ['none', 'guest-agent', 'ssh'] as const) {
      const end = await ending(booting({ power: state(3, 5), full }).awaitBoot(id, access(readiness), signal))
      expect(end).toMatchObject({ final: true, customer })
    }
  },
)

describe('a guest in which nothing moves', () => {
  const silent = { agent: virshHangs() }
  const wait = (how: Parameters<typeof booting>[0], ms: number) =>
    ending(booting({ ...silent, ...how }).awaitBoot(id, access('guest-agent'), signal, 5000), ms)

  test('is given up once it has stood still for so long, and not a second before', async () => {
    expect(await wait({}, 4500)).toBe('still waiting')
    expect(await wait({}, 7000)).toBeInstanceOf(GuestStill)
  })

  test('is waited for as long as something does now and then', async () => {
    let reads = 0
    const movement = () => moved(Math.floor((reads += 1) / 3))
    expect(await wait({ movement }, 60_000)).toBe('still waiting')
  })

  test('is looked at once a second: each look is a process', async () => {
    let looks = 0
    const movement = () => moved((looks += 1))
    await wait({ movement }, 10_000)
    expect(looks).toBeGreaterThan(5)
    expect(looks).toBeLessThan(12)
  })

  test('is not looked for while the machine is paused by a step of libvirt’s own', async () => {
    const movement = () => new Error('asked')
    expect(await wait({ power: state(3, 2), movement }, 20_000)).toBe('still waiting')
  })

  test('because its QEMU hangs is not the image’s fault', async () => {
    const end = await wait({ movement: virshHangs }, 7000)
    expect(end).toMatchObject({ final: true, customer: '虚拟机没有响应' })
    expect(end).not.toBeInstanceOf(GuestStill)
  })
})

test('an agent that never answers is told as that after its limit, and an abort ends the wait at once', async () => {
  const silent = booting({ agent: virshHangs() })
  const late = await ending(silent.awaitGuestAgent(id, 3000, signal), 4000)
  expect(late).toMatchObject({ message: 'the guest agent does not answer', final: false })
  expect(await ending(silent.awaitGuestAgent(id, 3000, AbortSignal.abort(new Error('given up'))), 0)).toMatchObject({
    message: 'given up',
  })
})
