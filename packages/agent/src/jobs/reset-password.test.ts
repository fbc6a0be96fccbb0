import type { JobPayload } from '@vps/shared/jobs.contract'
import { describe, expect, test } from 'vitest'
import { HypervisorError, LoginRefused } from '../hypervisor/hypervisor.js'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'
import { Stopped } from './stopped.js'

const jobs = setUpJobs()
const { run, host, found, faults, logIn } = jobs
const reset = (byRestart: boolean): JobPayload => ({ kind: 'resetPassword', username: 'root', byRestart })
const secret = 'Third-Horse-3'
const refused = async () => Promise.reject(new LoginRefused('wrong password'))
const closed = async () => Promise.reject(new HypervisorError('connection refused'))
const times = (acts: string[], verb: string) => acts.filter((act) => act === verb).length

describe('through the guest agent', () => {
  test('a password is set, and proven by a login', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    expect((await run(reset(false), { secret, hypervisor })).result).toEqual({ ok: true, power: 'on', proven: true })
    expect(acts).toEqual(['setPassword', 'tryLogin'])
    await logIn(secret)
    await expect(logIn(password)).rejects.toBeInstanceOf(LoginRefused)
  })

  test('a machine that is off is not asked, and its owner is told why', async () => {
    await run(install)
    await host().cutPower(jobs.serverId)
    const { hypervisor, acts } = watch(host())
    const { result } = await run(reset(false), { secret, hypervisor })
    expect(result).toMatchObject({ ok: false, final: true, message: '服务器未运行，无法重置密码' })
    expect(acts).toEqual([])
  })

  test('a job without its password fails for good and changes nothing', async () => {
    await run(install)
    expect((await run(reset(false), { secret: null })).result).toMatchObject({ ok: false, final: true })
    await logIn(password)
  })

  test.each([
    ['refuses it', refused],
    ['cannot be reached', closed],
  ])(
    'a guest whose SSH %s leaves the job successful and unproven: its owner may have closed it',
    async (_, tryLogin) => {
      await run(install)
      const { hypervisor, acts } = watch(host(), { tryLogin })
      expect((await run(reset(false), { secret, hypervisor })).result).toEqual({ ok: true, power: 'on', proven: false })
      expect(times(acts, 'tryLogin')).toBe(5)
    },
  )

  test('a guest that is slow to take it is tried again', async () => {
    await run(install)
    faults({ verb: 'tryLogin', kind: 'fail', times: 4 })
    expect((await run(reset(false), { secret })).result).toMatchObject({ ok: true, proven: true })
  })

  test('a guest whose host key nobody knows is told no password', async () => {
    await run(install)
    const real = host()
    const { hypervisor, acts } = watch(real, {
      find: async (id) => ({ ...(await real.find(id)), definedBy: { epoch: 1, number: 9 } }),
    })
    expect((await run(reset(false), { secret, hypervisor })).result).toMatchObject({ ok: true, proven: false })
    expect(acts).toEqual(['setPassword'])
  })

  test('an image that is not ready by SSH is not logged in to, and nothing is called proven', async () => {
    const image = { ...machine().image, readiness: 'guest-agent' as const }
    await run({ kind: 'install', machine: machine({ image }) })
    const { hypervisor, acts } = watch(host())
    expect((await run(reset(false), { secret, hypervisor })).result).toMatchObject({ ok: true, proven: false })
    expect(acts).toEqual(['setPassword'])
  })

  test('the login is tried as the user whose password it is', async () => {
    await run(install)
    let as = ''
    const { hypervisor } = watch(host(), {
      tryLogin: async (_id, { username }) => {
        as = username
      },
    })
    await run({ kind: 'resetPassword', username: 'admin', byRestart: false }, { secret, hypervisor })
    expect(as).toBe('admin')
  })

  test('a job that must stop does not go on trying', async () => {
    await run(install)
    const stop = new AbortController()
    const { hypervisor, acts } = watch(host(), {
      tryLogin: async () => {
        stop.abort(new Stopped('abort'))
        return closed()
      },
    })
    const { result } = await run(reset(false), { secret, hypervisor, signal: stop.signal })
    expect(result).toMatchObject({ ok: false, aborted: true })
    expect(times(acts, 'tryLogin')).toBe(1)
  })
})

describe('by a restart', () => {
  test('the image goes in while the machine is off, and out after the proof', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host())
    expect((await run(reset(true), { secret, hypervisor })).result).toEqual({ ok: true, power: 'on', proven: true })
    const [stopped, ...rest] = ['askShutdown', 'insertPassword', 'start', 'setAutostart', 'awaitBoot', 'tryLogin']
    expect(acts).toEqual([stopped, ...rest, 'removeSeed'])
    expect((await found()).seeds).toEqual([])
  })

  test('a machine that is off is not asked to shut down', async () => {
    await run(install)
    await host().cutPower(jobs.serverId)
    const { hypervisor, acts } = watch(host())
    expect((await run(reset(true), { secret, hypervisor })).result).toMatchObject({ ok: true, proven: true })
    expect(acts).not.toContain('askShutdown')
  })

  test('a password that is refused fails for good, and the image is taken out', async () => {
    await run(install)
    const { hypervisor, acts } = watch(host(), { tryLogin: refused })
    const { result } = await run(reset(true), { secret, hypervisor })
    expect(result).toMatchObject({ ok: false, final: true, power: 'on' })
    expect(acts.at(-1)).toBe('removeSeed')
    expect((await found()).seeds).toEqual([])
  })

  test('a guest that closed SSH has had the time to look: successful, unproven', async () => {
    await run(install)
    const hang = async (...[, , signal]: Parameters<ReturnType<typeof host>['awaitBoot']>) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    const { hypervisor } = watch(host(), { awaitBoot: hang, tryLogin: closed })
    const { result } = await run(reset(true), { secret, hypervisor, limits: { bootMs: 20 } })
    expect(result).toEqual({ ok: true, power: 'on', proven: false })
  })

  test('a guest that fails to come up is a failure, and the image is taken out', async () => {
    await run(install)
    faults({ verb: 'awaitBoot', kind: 'fail' })
    expect((await run(reset(true), { secret })).result).toMatchObject({ ok: false, message: '等待系统启动失败' })
    expect((await found()).seeds).toEqual([])
  })

  test('one that fails while the machine is off starts it again as it was, and leaves off what its owner had stopped', async () => {
    await run(install)
    faults({ verb: 'insertPassword', kind: 'fail' })
    expect((await run(reset(true), { secret })).result).toMatchObject({ ok: false, power: 'on' })
    const work = new AbortController()
    const insertPassword = async () => work.abort(new Stopped('abort'))
    const { hypervisor } = watch(host(), { insertPassword })
    const { result } = await run(reset(true), { secret, hypervisor, signal: work.signal })
    expect(result).toMatchObject({ ok: false, aborted: true, power: 'on' })
    await logIn(password)
    await run({ kind: 'stop', force: true, graceSeconds: 0 })
    faults({ verb: 'insertPassword', kind: 'fail' })
    expect((await run(reset(true), { secret })).result).toMatchObject({ ok: false, power: 'off' })
  })

  test('a run that was broken off after the start only looks what came of it', async () => {
    await run(install)
    const earlier = await jobs.killedAt(reset(true), 'awaitBoot', 'before', { secret })
    const { hypervisor, acts } = watch(host())
    expect((await run(reset(true), { secret, earlier, hypervisor })).result).toMatchObject({ ok: true, proven: true })
    expect(acts).toEqual(['awaitBoot', 'tryLogin', 'removeSeed'])
  })

  test('a run that was broken off, and whose machine went off since, puts the image in and starts it again', async () => {
    await run(install)
    const earlier = await jobs.killedAt(reset(true), 'awaitBoot', 'before', { secret })
    await host().cutPower(jobs.serverId)
    const { hypervisor, acts } = watch(host())
    expect((await run(reset(true), { secret, earlier, hypervisor })).result).toMatchObject({ ok: true, proven: true })
    expect(acts.slice(0, 2)).toEqual(['insertPassword', 'start'])
  })
})
