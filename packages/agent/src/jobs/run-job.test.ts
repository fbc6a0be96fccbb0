import { describe, expect, test } from 'vitest'
import { GuestStill, HypervisorAway, HypervisorError } from '../hypervisor/hypervisor.js'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'
import { Stopped } from './stopped.js'

const jobs = setUpJobs()
const { run, killedAt, host, found, faults } = jobs
const larger = { kind: 'resize', cpuCores: 4, memoryMb: 2048, diskGb: 9 } as const

/** The verb begins an act and stops the job in its midst, as a beat does. */
function stoppedAt(verb: 'define' | 'awaitBoot', why: Stopped['why']) {
  const stop = new AbortController()
  const real = host()
  const seen = watch(real, {
    [verb]: async (...given: never[]) => {
      stop.abort(new Stopped(why))
      await (real[verb] as (...all: never[]) => Promise<void>)(...given)
    },
  })
  return { ...seen, signal: stop.signal }
}

test.each([
  ['Node.js', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['a program', new HypervisorError('qemu-img create: Could not write qcow2 header: No space left on device')],
])('a job that ends for want of room on its host says that, where %s told it', async (_who, error) => {
  const result = await run(install, watch(host(), { createDisk: () => Promise.reject(error) }))
  expect(result.result).toMatchObject({ ok: false, final: false, message: '宿主机存储空间不足' })
})

test.each([
  ['a restart', { kind: 'restart' } as const],
  ['a resize', larger],
  ['a reinstall', { kind: 'reinstall', machine: machine() } as const],
])('%s is refused before anything is stopped or deleted where no machine would start', async (_what, payload) => {
  await run(install)
  const broken = new HypervisorError('KVM does not work', { final: true, customer: 'KVM 不可用' })
  const { hypervisor, acts } = watch(host(), { requireStart: () => Promise.reject(broken) })
  const { result } = await run(payload, { hypervisor, generation: payload.kind === 'reinstall' ? 2 : 1 })
  expect(result).toMatchObject({ ok: false, final: true, message: 'KVM 不可用', power: 'on' })
  // What takes a resize back starts what is off.
  expect(acts.filter((act) => act !== 'start')).toEqual([])
  expect(await found()).toMatchObject({ power: 'on', autostart: true, definedBy: { number: 1 } })
})

describe('what the journal and the owner are told', () => {
  test('all steps before the first act, then each as it begins with the one that has ended, up to the whole', async () => {
    const { told } = await run(install)
    expect(told[0]?.steps.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'pending'))
    expect(told[0]?.percentage).toBe(0)
    const changes = told.slice(1).map(({ steps }, at) => {
      const before = told[at]?.steps
      return steps.filter((step, i) => step.status !== before?.[i]?.status).map((step) => `${step.name} ${step.status}`)
    })
    expect(changes.slice(0, 4)).toEqual([
      ['verifyImage running'],
      ['verifyImage done', 'createDisk running'],
      ['createDisk done', 'createSeed running'],
      ['createSeed done', 'defineMachine running'],
    ])
    expect(changes.at(-1)).toEqual(['removeSeed done'])
    const percentages = told.map(({ percentage }) => percentage)
    expect(percentages.slice(0, 5)).toEqual([0, 0, 5, 15, 20])
    expect(percentages).toEqual(percentages.toSorted((a, b) => a - b))
    expect(percentages.at(-1)).toBe(100)
  })

  test('a step that runs has begun and not ended; one that was found done has both at once', async () => {
    await run(install)
    const { told, steps } = await run(install)
    const running = told.flatMap((one) => one.steps).filter(({ status }) => status === 'running')
    expect(running.every(({ startedAt, finishedAt }) => startedAt !== null && finishedAt === null)).toBe(true)
    expect([...new Set(running.map(({ name }) => name))]).toEqual(['awaitBoot', 'proveLogin'])
    const disk = steps.find(({ name }) => name === 'createDisk')
    expect(disk?.startedAt).not.toBeNull()
    expect(disk?.startedAt).toBe(disk?.finishedAt)
  })

  test('what was told is not changed by what comes later', async () => {
    const { told } = await run(install)
    expect(told[1]?.steps[0]?.status).toBe('running')
    expect(told[1]?.steps[0]?.finishedAt).toBeNull()
  })

  test('a job that goes on after a crash shows what was done before, with its times, and its share', async () => {
    const earlier = await killedAt(install, 'awaitBoot', 'before')
    const { told } = await run(install, { earlier })
    expect(told[0]?.percentage).toBe(35)
    expect(told[0]?.steps[0]).toEqual(earlier[0])
    expect(earlier[5]?.status).toBe('running')
    expect(told[0]?.steps[5]).toMatchObject({ status: 'pending', startedAt: null })
  })

  test('the step that failed is shown as failed, and those after it as never begun', async () => {
    faults({ verb: 'define', kind: 'fail' })
    const { steps, result } = await run(install)
    expect(steps.map(({ status }) => status)).toEqual(
      ['done', 'done', 'done', 'failed'].concat(Array.from({ length: 4 }, () => 'pending')),
    )
    expect(steps[3]?.finishedAt).not.toBeNull()
    expect(result).toMatchObject({ message: '定义虚拟机失败', detail: 'defineMachine: simulated fault: define failed' })
  })
})

describe('a job that must stop', () => {
  test('because a beat said so: the act that has begun is finished, no other begins, and it is taken back', async () => {
    const { hypervisor, acts, signal } = stoppedAt('define', 'abort')
    const { result, steps } = await run(install, { hypervisor, signal })
    expect(result).toMatchObject({ ok: false, aborted: true, final: false, message: '操作已中止', power: 'absent' })
    expect(steps[3]?.status).toBe('done')
    expect(acts).not.toContain('start')
    expect(acts.at(-1)).toBe('remove')
    expect(await host().inventory()).toMatchObject({ domains: [], volumes: [] })
  })

  test('in a wait: it ends at once, and its step has failed', async () => {
    const { hypervisor, signal } = stoppedAt('awaitBoot', 'abort')
    const { result, steps } = await run(install, { hypervisor, signal })
    expect(result).toMatchObject({ ok: false, aborted: true, message: '操作已中止' })
    expect(result).not.toHaveProperty('unbootable')
    expect(steps[5]?.status).toBe('failed')
  })

  test.each(['lost', 'shutdown'] as const)('because of this: %s, tells nothing and takes nothing back', async (why) => {
    const { hypervisor, acts, signal } = stoppedAt('awaitBoot', why)
    const { result, steps } = await run(install, { hypervisor, signal })
    expect(result).toBeNull()
    expect(acts.at(-1)).toBe('awaitBoot')
    expect(steps[5]?.status).toBe('running')
    expect(await found()).toMatchObject({ power: 'on', disks: [{ epoch: 1, number: 1 }] })
    expect((await run(install, { earlier: steps })).result).toMatchObject({ ok: true, proven: true })
  })

  test('before it has begun: nothing is done', async () => {
    const { hypervisor, acts } = watch(host())
    const signal = AbortSignal.abort(new Stopped('abort'))
    expect((await run(install, { hypervisor, signal })).result).toMatchObject({ ok: false, aborted: true })
    expect(acts).toEqual([])
  })
})

describe('a deadline', () => {
  const limits = { actMs: 1_200, imageMs: 1_600 }

  test.each([
    ['define', 1_200],
    ['createDisk', 1_600],
    ['verifyImage', 1_600],
  ] as const)('ends an act that never does: %s after %i ms, and the job may be tried again', async (verb, ms) => {
    faults({ verb, kind: 'hang' })
    const { result } = await run(install, { limits })
    expect(result).toMatchObject({ ok: false, final: false, aborted: false })
    expect(result).toHaveProperty('detail', expect.stringContaining(`did not end within ${ms} ms`))
    faults()
    expect((await run(install)).result).toMatchObject({ ok: true })
  })

  test('of one act holds no wait up: those have limits of their own', async () => {
    await run(install)
    const ignoring = watch(host(), { askShutdown: async () => {} })
    const { result } = await run(
      { kind: 'restart' },
      { hypervisor: ignoring.hypervisor, limits: { actMs: 700, graceMs: 1500 } },
    )
    expect(result).toMatchObject({ ok: true, power: 'on' })
  })

  test('holds for taking back, too, and both failures are told', async () => {
    const earlier = await killedAt(install, 'define', 'before')
    faults({ verb: 'define', kind: 'fail' })
    const { hypervisor } = watch(host(), { remove: async () => new Promise(() => {}) })
    const { result } = await run(install, { hypervisor, limits, earlier })
    expect(result).toHaveProperty(
      'detail',
      'defineMachine: simulated fault: define failed; undoing failed too: step undo did not end within 1200 ms',
    )
  })
})

describe('a hypervisor that is away', () => {
  const away = { kind: 'libvirt', detail: 'gone' } as const

  test('for longer than a job waits fails the try, and another may succeed', async () => {
    faults({ verb: 'define', kind: 'away' })
    const { result } = await run(install, { limits: { awayMs: 0 } })
    expect(result).toMatchObject({ ok: false, final: false, message: '宿主机暂时不可用' })
    expect((await run(install)).result).toMatchObject({ ok: true })
  })

  test('is waited for whatever words an act failed with, as long as it is not there', async () => {
    faults({ verb: 'define', kind: 'fail' }, { verb: 'checkPresence', kind: 'away' })
    expect((await run(install)).result).toEqual({ ok: true, power: 'on', proven: true })
  })

  test('is waited for when nothing could be read yet, and the job is told at once: its beats keep the lease', async () => {
    const real = host()
    let looks = 0
    const { hypervisor } = watch(real, {
      find: async (id) => {
        looks += 1
        if (looks === 1) throw new HypervisorAway(away)
        return real.find(id)
      },
    })
    const { result, told } = await run(install, { hypervisor })
    expect(result).toMatchObject({ ok: true })
    expect(told[0]).toMatchObject({ percentage: 0 })
    expect(told.length).toBeGreaterThan((await run(install)).told.length)
  })

  test('is not waited for by a job that was told to stop', async () => {
    const stop = new AbortController()
    const { hypervisor } = watch(host(), {
      define: async () => {
        stop.abort(new Stopped('abort'))
        throw new HypervisorAway(away)
      },
    })
    expect((await run(install, { hypervisor, signal: stop.signal })).result).toMatchObject({ aborted: true })
  })

  test('in the midst: what is taken back is what was there before the first act, not what the wait found', async () => {
    await run(install)
    faults({ verb: 'start', kind: 'away' }, { verb: 'start', kind: 'fail' })
    const size = { cpuCores: 1, memoryMb: 512 }
    expect((await run(larger)).result).toMatchObject({ ok: false, power: 'on', size })
  })
})

describe('a failure', () => {
  test('of a newer order is never mended by an older one: it is refused before anything is done', async () => {
    await run(install, { generation: 2 })
    const { hypervisor, acts } = watch(host())
    const { result, told } = await run({ kind: 'destroy' }, { generation: 1, hypervisor })
    expect(result).toMatchObject({ ok: false, final: true, power: 'on', message: '任务已被更新的任务取代' })
    expect(acts).toEqual([])
    expect(told).toEqual([])
  })

  test('of an install that was delivered before, or made anew since, says so: an API with a restored database does not know', async () => {
    faults({ verb: 'createDisk', kind: 'fail' })
    expect((await run(install)).result).not.toHaveProperty('delivered')
    await run(install)
    faults({ verb: 'awaitBoot', kind: 'fail' })
    expect((await run(install)).result).toMatchObject({ ok: false, power: 'on', delivered: true })
    await run({ kind: 'reinstall', machine: machine() }, { generation: 2 })
    expect((await run(install)).result).toMatchObject({ ok: false, final: true, power: 'on', delivered: true })
    expect((await run(larger)).result).not.toHaveProperty('delivered')
  })

  test('of an act of a later API touches nothing, not even to look', async () => {
    const find = async () => Promise.reject(new Error('looked'))
    const { hypervisor, acts } = watch(host(), { find })
    const { result } = await run(JSON.parse('{"kind":"later"}'), { hypervisor })
    expect(result).toMatchObject({ ok: false, final: true, power: 'unknown', message: '不支持' })
    expect(acts).toEqual([])
  })

  test('tells the password to nobody, wherever a program printed it', async () => {
    const said = `virsh: ${password} and ${password}`
    const { hypervisor } = watch(host(), { define: async () => Promise.reject(new Error(said)) })
    const { result } = await run(install, { hypervisor })
    expect(result).toMatchObject({ detail: 'defineMachine: virsh: *** and ***', message: '定义虚拟机失败' })
  })

  test('that is told at length is cut to what a report may hold', async () => {
    const { hypervisor } = watch(host(), { define: async () => Promise.reject(new Error('x'.repeat(9000))) })
    const { result } = await run(install, { hypervisor })
    expect(result && 'detail' in result ? result.detail.length : 0).toBe(4000)
  })

  test('is told without what no report may hold, whatever a guest said', async () => {
    const said = `the guest: bye\0now ${'x'.repeat(3969)}😀`
    const { hypervisor } = watch(host(), { define: async () => Promise.reject(new Error(said)) })
    const { result } = await run(install, { hypervisor })
    const detail = result && 'detail' in result ? result.detail : ''
    expect(detail).toMatch(/^defineMachine: the guest: byenow x+$/)
  })

  test('speaks to the customer in the words of the hypervisor where it has some, and knows what is final', async () => {
    const refused = new HypervisorError('no', { final: true, customer: '不行' })
    const { hypervisor } = watch(host(), { define: async () => Promise.reject(refused) })
    expect((await run(install, { hypervisor })).result).toMatchObject({ final: true, message: '不行' })
  })

  test('before the first step has no step to blame, and says that power is unknown', async () => {
    const { hypervisor } = watch(host(), { find: async () => Promise.reject(new Error('unreadable')) })
    const { result, steps } = await run(larger, { hypervisor })
    expect(result).toMatchObject({ ok: false, message: '操作失败', detail: 'unreadable', power: 'unknown' })
    expect(result).not.toHaveProperty('size')
    expect(steps.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
  })

  test('of the check alone, every step having said that it was done, is one', async () => {
    faults({ verb: 'removeSeed', kind: 'lie' })
    expect((await run(install)).result).toHaveProperty(
      'detail',
      expect.stringContaining('check failed: the seed is still there'),
    )
  })

  test('names an image as one that does not boot only where the guest was waited for', async () => {
    const { hypervisor } = watch(host(), { define: async () => Promise.reject(new GuestStill(1)) })
    expect((await run(install, { hypervisor })).result).not.toHaveProperty('unbootable')
  })

  test('tells the size that is there after a resize, and of no other act', async () => {
    await run(install)
    expect((await run(larger)).result).toHaveProperty('size', { cpuCores: 4, memoryMb: 2048 })
    expect((await run({ kind: 'restart' })).result).not.toHaveProperty('size')
  })
})
