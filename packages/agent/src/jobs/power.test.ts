import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { describe, expect, test } from 'vitest'
import { HypervisorAway, HypervisorError } from '../hypervisor/hypervisor.js'
import { install, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'
import { Stopped } from './stopped.js'

const jobs = setUpJobs()
const { run, host, found, faults } = jobs
const stop = (graceSeconds: number, force = false): JobPayload => ({ kind: 'stop', force, graceSeconds })
const restart: JobPayload = { kind: 'restart' }
const start: JobPayload = { kind: 'start' }
const off = () => run(stop(0, true))
const [first, second] = [1, 2].map((number) => ({ epoch: 1, number }))
const deaf = { askShutdown: async () => {} }

describe('stop', () => {
  test('keeps the machine from coming back before it asks it, and cuts nothing from a guest that obeys', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    expect((await run(stop(5), { hypervisor })).result).toEqual({ ok: true, power: 'off', proven: false })
    expect(acts).toEqual(['setAutostart', 'askShutdown', 'setAutostart'])
    expect((await found()).autostart).toBe(false)
  })

  test('cuts the power of a guest that does not obey in time', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host(), deaf)
    expect((await run(stop(0), { hypervisor })).result).toMatchObject({ ok: true, power: 'off' })
    expect(acts).toEqual(['setAutostart', 'askShutdown', 'cutPower', 'setAutostart'])
  })

  test.each([
    ['waits for a guest that takes its time, and only as long as that', null],
    ['goes on waiting where one look at the guest fails, which may be on its way off', 3],
  ])('%s', async (_what, failing) => {
    await run(install)
    const real = host()
    let looks = 0
    const { hypervisor, acts } = watch(real, {
      ...deaf,
      find: async (id) => {
        looks += 1
        if (looks === failing) throw new HypervisorError('virsh list takes too long')
        if (looks === 4) await real.cutPower(id)
        return real.find(id)
      },
    })
    expect((await run(stop(300), { hypervisor })).result).toMatchObject({ ok: true, power: 'off' })
    expect(acts).not.toContain('cutPower')
  })

  test('by force does not ask', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    expect((await run(stop(300, true), { hypervisor })).result).toMatchObject({ ok: true, power: 'off' })
    expect(acts).toEqual(['cutPower', 'setAutostart'])
  })

  test('takes away what an act that it replaced left beside the disk when its agent was killed', async () => {
    const backupId = randomUUID()
    await run(install)
    await run({ kind: 'backup', backupId })
    const restore: JobPayload = { kind: 'restore', backupId, machine: machine(), hostKey: null }
    const rescue: JobPayload = { kind: 'enterRescue', rescueId: randomUUID(), machine: machine() }
    for (const force of [false, true]) {
      await jobs.killedAt(restore, 'restoreDisk', 'after', { generation: 2 })
      await jobs.killedAt(rescue, 'createRescue', 'after', { generation: 2 })
      expect(await found()).toMatchObject({ disks: [first, second], rescues: [expect.any(String)] })
      expect((await run(stop(5, force), { generation: 2 })).result).toMatchObject({ ok: true, power: 'off' })
      expect(await found()).toMatchObject({ definedBy: first, disks: [first], rescues: [] })
    }
  })

  test('leaves what is of use: the new password’s image, and the rescue that runs', async () => {
    const rescueId = randomUUID()
    await run(install)
    await jobs.killedAt({ kind: 'resetPassword', username: 'root', byRestart: true }, 'insertPassword', 'after')
    await off()
    expect((await found()).seeds).toEqual([first])
    await host().removeSeed(jobs.serverId)
    await run({ kind: 'enterRescue', rescueId, machine: machine() })
    await off()
    expect(await found()).toMatchObject({ rescueId, rescues: [rescueId], disks: [first] })
  })

  test('succeeds where what is left cannot be taken away', async () => {
    await run(install)
    await jobs.killedAt({ kind: 'enterRescue', rescueId: randomUUID(), machine: machine() }, 'createRescue', 'after')
    faults({ verb: 'removeOthers', kind: 'fail' })
    expect((await off()).result).toEqual({ ok: true, power: 'off', proven: false })
    expect((await found()).rescues).toHaveLength(1)
  })

  test('of a machine that has gone off by itself only keeps it from coming back', async () => {
    await run(install)
    await host().cutPower(jobs.serverId)
    const { hypervisor, acts } = watch(host())
    expect((await run(stop(5), { hypervisor })).result).toMatchObject({ ok: true, power: 'off' })
    expect(acts).toEqual(['setAutostart'])
  })

  test('succeeds where autostart cannot be changed: what is off is off', async () => {
    await run(install)
    faults({ verb: 'setAutostart', kind: 'fail', times: 2 })
    expect((await run(stop(5))).result).toMatchObject({ ok: true, power: 'off' })
  })

  test('does not take a libvirt that is away for autostart that cannot be changed', async () => {
    await run(install)
    const { hypervisor } = watch(host(), {
      setAutostart: async () => Promise.reject(new HypervisorAway({ kind: 'libvirt', detail: 'gone' })),
    })
    const { result } = await run(stop(5), { hypervisor, limits: { awayMs: 0 } })
    expect(result).toMatchObject({ ok: false, message: '宿主机暂时不可用', power: 'on' })
  })

  test('that is told to stop waiting leaves the guest its power, and has it come back with its host as before', async () => {
    await run(install)
    const aborted = new AbortController()
    const { hypervisor, acts } = watch(host(), {
      askShutdown: async () => aborted.abort(new Stopped('abort')),
    })
    const { result } = await run(stop(300), { hypervisor, signal: aborted.signal })
    expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
    expect(acts).not.toContain('cutPower')
    expect(await found()).toMatchObject({ power: 'on', autostart: true })
  })

  test('that failed for good leaves a machine that runs on coming back with its host as before', async () => {
    await run(install)
    const deafHost = watch(host(), deaf).hypervisor
    faults({ verb: 'cutPower', kind: 'fail' })
    expect((await run(stop(0), { hypervisor: deafHost })).result).toMatchObject({ aborted: false, power: 'on' })
    expect(await found()).toMatchObject({ power: 'on', autostart: true })
    expect((await run(stop(5))).result).toMatchObject({ ok: true })
    expect(await found()).toMatchObject({ power: 'off', autostart: false })
  })

  test('that its agent’s end broke off and that failed then leaves a machine that runs on coming back with its host', async () => {
    await run(install)
    const ending = new AbortController()
    const brokenOff = watch(host(), { askShutdown: async () => ending.abort(new Stopped('shutdown')) }).hypervisor
    expect((await run(stop(300), { hypervisor: brokenOff, signal: ending.signal })).result).toBeNull()
    expect(await found()).toMatchObject({ power: 'on', autostart: false })
    faults({ verb: 'cutPower', kind: 'fail' })
    expect((await run(stop(0), { hypervisor: watch(host(), deaf).hypervisor })).result).toMatchObject({ ok: false })
    expect(await found()).toMatchObject({ power: 'on', autostart: true })
  })

  test('of a suspended one that failed for good, or is called off, keeps the machine from coming back with its host', async () => {
    await run(install)
    const deafHost = watch(host(), deaf).hypervisor
    const suspend: JobPayload = { kind: 'stop', force: false, graceSeconds: 0, staysOff: true }
    faults({ verb: 'cutPower', kind: 'fail' })
    expect((await run(suspend, { hypervisor: deafHost })).result).toMatchObject({ ok: false, power: 'on' })
    expect(await found()).toMatchObject({ power: 'on', autostart: false })
    expect((await run(start)).result).toMatchObject({ ok: true })
    expect((await found()).autostart).toBe(true)
    const work = new AbortController()
    const calledOff = watch(host(), { askShutdown: async () => work.abort(new Stopped('abort')) })
    const { result } = await run({ ...suspend, graceSeconds: 300 }, { ...calledOff, signal: work.signal })
    expect(result).toMatchObject({ aborted: true, power: 'on' })
    expect((await found()).autostart).toBe(false)
  })

  test('that is called off too late keeps the machine from coming back', async () => {
    await run(install)
    const aborted = new AbortController()
    const real = host()
    const { hypervisor } = watch(real, {
      askShutdown: async (id) => {
        await real.cutPower(id)
        aborted.abort(new Stopped('abort'))
      },
    })
    expect((await run(stop(300), { hypervisor, signal: aborted.signal })).result).toMatchObject({ power: 'off' })
    expect(await found()).toMatchObject({ power: 'off', autostart: false })
  })

  test('fails where the power is still there afterwards, or nobody knows', async () => {
    await run(install)
    faults({ verb: 'cutPower', kind: 'lie' })
    expect((await run(stop(0, true))).result).toMatchObject({ ok: false, final: false, power: 'on' })
    const real = host()
    const { hypervisor } = watch(real, { find: async (id) => ({ ...(await real.find(id)), power: 'unknown' }) })
    expect((await run(stop(0, true), { hypervisor })).result).toMatchObject({ ok: false, power: 'unknown' })
  })
})

describe('start', () => {
  test('brings a machine on, and has it come back by itself from then on', async () => {
    await run(install)
    await off()
    const { hypervisor, acts } = watch(host())
    expect((await run(start, { hypervisor })).result).toEqual({ ok: true, power: 'on', proven: false })
    expect(acts).toEqual(['start', 'setAutostart'])
    expect((await found()).autostart).toBe(true)
  })

  test('does nothing to one that runs and comes back', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    expect((await run(start, { hypervisor })).result).toMatchObject({ ok: true, power: 'on' })
    expect(acts).toEqual([])
  })

  test.each(['start', 'setAutostart'])('that only claims to have done %s is found out', async (verb) => {
    await run(install)
    await off()
    faults({ verb, kind: 'lie' })
    expect((await run(start)).result).toMatchObject({ ok: false, final: false })
    expect((await run(start)).result).toMatchObject({ ok: true, power: 'on' })
  })
})

describe('restart', () => {
  test('that is broken off while the machine is off starts it again', async () => {
    await run(install)
    const work = new AbortController()
    const real = host()
    const { hypervisor } = watch(real, {
      askShutdown: async (id) => {
        await real.askShutdown(id)
        work.abort(new Stopped('abort'))
      },
    })
    const { result } = await run(restart, { hypervisor, signal: work.signal })
    expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
  })

  test('that is called off while the guest shuts down waits for it, and starts it again', async () => {
    await run(install)
    const work = new AbortController()
    const real = host()
    let looks = 0
    const { hypervisor, acts } = watch(real, {
      askShutdown: async () => work.abort(new Stopped('abort')),
      find: async (id) => {
        // Off a little after it was asked.
        if (work.signal.aborted && ++looks === 3) await real.cutPower(id)
        return real.find(id)
      },
    })
    const { result } = await run(restart, { hypervisor, signal: work.signal, limits: { graceMs: 2 ** 30 } })
    expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
    expect(acts.filter((act) => act === 'start')).toHaveLength(1)
    expect(acts).not.toContain('cutPower')
  })

  test('that is called off leaves a guest that does not obey its power', async () => {
    await run(install)
    const work = new AbortController()
    const { hypervisor, acts } = watch(host(), { askShutdown: async () => work.abort(new Stopped('abort')) })
    const { result } = await run(restart, { hypervisor, signal: work.signal, limits: { graceMs: 20 } })
    expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
    expect(acts).not.toContain('cutPower')
  })

  test.each(['overtaken', 'lost', 'shutdown'] as const)('that is %s waits for no guest', async (why) => {
    await run(install)
    const work = new AbortController()
    const { hypervisor, acts } = watch(host(), { askShutdown: async () => work.abort(new Stopped(why)) })
    const { result } = await run(restart, { hypervisor, signal: work.signal, limits: { graceMs: 2 ** 30 } })
    expect(result).toEqual(why === 'overtaken' ? expect.objectContaining({ aborted: true, power: 'on' }) : null)
    expect(acts).not.toContain('cutPower')
  })

  test('has the machine off once, leaves autostart alone until it is on again, and cuts nothing', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    expect((await run(restart, { hypervisor })).result).toMatchObject({ ok: true, power: 'on' })
    expect(acts).toEqual(['askShutdown', 'start', 'setAutostart'])
  })

  test('cuts the power of a guest that does not obey within the grace', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host(), deaf)
    const { result } = await run(restart, { hypervisor, limits: { graceMs: 20 } })
    expect(result).toMatchObject({ ok: true, power: 'on' })
    expect(acts).toEqual(['askShutdown', 'cutPower', 'start', 'setAutostart'])
  })

  test('of a machine that is off starts it', async () => {
    await run(install)
    await off()
    const { hypervisor, acts } = watch(host())
    expect((await run(restart, { hypervisor })).result).toMatchObject({ ok: true, power: 'on' })
    expect(acts).toEqual(['start', 'setAutostart'])
  })

  test('that goes on after a crash does not stop the guest a second time', async () => {
    await run(install)
    const earlier = await jobs.killedAt(restart, 'start', 'after')
    const { hypervisor, acts } = watch(host())
    expect((await run(restart, { earlier, hypervisor })).result).toMatchObject({ ok: true, power: 'on' })
    expect(acts).not.toContain('askShutdown')
  })
})
