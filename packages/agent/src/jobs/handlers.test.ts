import type { JobPayload } from '@vps/shared/jobs.contract'
import { describe, expect, test } from 'vitest'
import type { FaultKind } from '../hypervisor/simulated/faults.js'
import { install, password, setUpJobs } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const jobs = setUpJobs()
const { run, killedAt, host, found, faults, expectInstalled } = jobs
const byRestart: JobPayload = { kind: 'resetPassword', username: 'root', byRestart: true }
const larger: JobPayload = { kind: 'resize', cpuCores: 4, memoryMb: 2048, diskGb: 9 }
const more: JobPayload = {
  kind: 'resize',
  cpuCores: 1,
  memoryMb: 512,
  diskGb: 2,
  network: {
    mac: '52:54:00:77:00:02',
    addresses: ['10.77.0.2', '10.77.0.3'].map((address) => ({ address, prefix: 24 })),
    prefixes: [],
    added: ['10.77.0.3'],
  },
}
const anew: JobPayload = { kind: 'redefine', machine: machine(), start: true }
const reinstall: JobPayload = { kind: 'reinstall', machine: machine({ sshPort: 3333 }) }

const verbs = {
  install: [
    'verifyImage',
    'createDisk',
    'createSeed',
    'define',
    'start',
    'setAutostart',
    'awaitBoot',
    'tryLogin',
    'removeSeed',
  ],
  reinstall: [
    'verifyImage',
    'cutPower',
    'remove',
    'createDisk',
    'createSeed',
    'define',
    'start',
    'setAutostart',
    'tryLogin',
    'removeSeed',
  ],
  restart: ['askShutdown', 'start', 'setAutostart'],
  stop: ['setAutostart', 'askShutdown'],
  resetPassword: ['setPassword', 'tryLogin'],
  resetByRestart: ['askShutdown', 'insertPassword', 'start', 'awaitBoot', 'tryLogin', 'removeSeed'],
  resize: ['askShutdown', 'resize', 'start', 'setAutostart'],
  moreAddresses: ['admitAddresses', 'takeAddresses', 'testConnection'],
  redefine: ['define', 'start', 'setAutostart'],
  destroy: ['cutPower', 'remove'],
} as const

describe.each(['before', 'after'] as const)(
  'killed %s an act, the job is brought to its end by the next agent:',
  (when) => {
    test.each(verbs.install)('install at %s', async (verb) => {
      const earlier = await killedAt(install, verb, when)
      expect((await run(install, { earlier })).result).toEqual({ ok: true, power: 'on', proven: true })
      await expectInstalled(1, 2222, password)
    })

    test.each(verbs.reinstall)('reinstall at %s', async (verb) => {
      await run(install)
      const again = { generation: 2, secret: 'Second-Horse-2' }
      const earlier = await killedAt(reinstall, verb, when, again)
      expect((await run(reinstall, { ...again, earlier })).result).toEqual({ ok: true, power: 'on', proven: true })
      await expectInstalled(2, 3333, again.secret)
    })

    test.each(verbs.restart)('restart at %s', async (verb) => {
      await run(install)
      const earlier = await killedAt({ kind: 'restart' }, verb, when)
      expect((await run({ kind: 'restart' }, { earlier })).result).toMatchObject({ ok: true, power: 'on' })
    })

    test.each(verbs.stop)('stop at %s', async (verb) => {
      await run(install)
      const payload: JobPayload = { kind: 'stop', force: false, graceSeconds: 1 }
      const earlier = await killedAt(payload, verb, when)
      expect((await run(payload, { earlier })).result).toMatchObject({ ok: true, power: 'off' })
      expect((await found()).autostart).toBe(false)
    })

    test.each(verbs.resetPassword)('reset password at %s', async (verb) => {
      await run(install)
      const payload: JobPayload = { kind: 'resetPassword', username: 'root', byRestart: false }
      const earlier = await killedAt(payload, verb, when, { secret: 'Third-Horse-3' })
      expect((await run(payload, { earlier, secret: 'Third-Horse-3' })).result).toMatchObject({
        ok: true,
        proven: true,
      })
    })

    test.each(verbs.resetByRestart)('reset password by a restart at %s', async (verb) => {
      await run(install)
      const earlier = await killedAt(byRestart, verb, when, { secret: 'Third-Horse-3' })
      expect((await run(byRestart, { earlier, secret: 'Third-Horse-3' })).result).toMatchObject({
        ok: true,
        power: 'on',
        proven: true,
      })
      await expectInstalled(1, 2222, 'Third-Horse-3')
    })

    test.each(verbs.resize)('resize at %s', async (verb) => {
      await run(install)
      const earlier = await killedAt(larger, verb, when)
      expect((await run(larger, { earlier })).result).toMatchObject({ ok: true, power: 'on' })
      expect(await found()).toMatchObject({
        autostart: true,
        size: { cpuCores: 4, memoryMb: 2048, diskGb: 9 },
      })
    })

    test.each(verbs.moreAddresses)('more addresses at %s', async (verb) => {
      await run(install)
      const earlier = await killedAt(more, verb, when)
      const admitted = ['10.77.0.2', '10.77.0.3']
      expect((await run(more, { earlier })).result).toMatchObject({
        ok: true,
        power: 'on',
        admitted,
        inGuest: { taken: ['10.77.0.3'], answered: ['10.77.0.3'] },
      })
      expect((await found()).addresses).toEqual(admitted)
    })

    test.each(verbs.redefine)('redefine at %s', async (verb) => {
      await run(install)
      await host().cutPower(jobs.serverId)
      const earlier = await killedAt(anew, verb, when)
      expect((await run(anew, { earlier })).result).toMatchObject({ ok: true, power: 'on' })
      expect((await found()).disks).toHaveLength(1)
    })

    test.each(verbs.destroy)('destroy at %s', async (verb) => {
      await run(install)
      const earlier = await killedAt({ kind: 'destroy' }, verb, when)
      expect((await run({ kind: 'destroy' }, { earlier })).result).toMatchObject({ ok: true, power: 'absent' })
      expect(await host().inventory()).toMatchObject({ domains: [], volumes: [] })
    })
  },
)

test.each(['install', 'start', 'stop', 'restart', 'resetPassword', 'resize', 'redefine', 'destroy'] as const)(
  '%s done twice does no harm',
  async (kind) => {
    const payloads: Record<typeof kind, JobPayload> = {
      install,
      start: { kind: 'start' },
      stop: { kind: 'stop', force: false, graceSeconds: 1 },
      restart: { kind: 'restart' },
      resetPassword: { kind: 'resetPassword', username: 'root', byRestart: false },
      resize: larger,
      redefine: anew,
      destroy: { kind: 'destroy' },
    }
    await run(install)
    const first = await run(payloads[kind])
    const before = await found()
    const second = await run(payloads[kind], { earlier: first.steps })
    expect(second.result).toEqual(first.result)
    expect(first.result?.ok).toBe(true)
    expect(await found()).toEqual(before)
  },
)

test('an install that is ordered again after delivery never makes the disk anew, even when its login fails', async () => {
  await run(install)
  await run({ kind: 'resetPassword', username: 'root', byRestart: false }, { secret: 'Customers-Own-4' })
  expect((await run(install)).result).toMatchObject({ ok: false, power: 'on' })
  await expectInstalled(1, 2222, 'Customers-Own-4')
})

test.each(['guest-agent', 'none'] as const)(
  'an image that is ready by %s is delivered, but never called proven',
  async (readiness) => {
    const payload: JobPayload = { kind: 'install', machine: machine({ image: { ...machine().image, readiness } }) }
    const { result, steps } = await run(payload)
    expect(result).toEqual({ ok: true, power: 'on', proven: false })
    expect(steps.map(({ label }) => label)).toContain('确认就绪')
    expect(steps.map(({ label }) => label)).not.toContain('验证登录')
    // From now on it may hold a customer's data: never made anew.
    faults({ verb: 'createDisk', kind: 'fail' })
    expect((await run(payload)).result).toEqual({ ok: true, power: 'on', proven: false })
  },
)

test('a restart whose guest does not take the new password is a failure, and leaves nothing to take later', async () => {
  await run(install)
  faults({ verb: 'insertPassword', kind: 'lie' })
  const { result } = await run(byRestart, { secret: 'Never-Taken-5' })
  expect(result).toMatchObject({
    ok: false,
    final: true,
    power: 'on',
    message: '服务器已重启，但系统未接受新密码，旧密码仍然有效',
  })
  await expectInstalled(1, 2222, password)
})

const misbehaviour: [FaultKind, boolean][] = [
  ['fail', false],
  ['half', false],
  ['lie', false],
  ['lose', false],
  ['hang', false],
]
describe.each(misbehaviour)('a host that does this: %s', (kind) => {
  test.each(['createDisk', 'createSeed', 'define', 'start', 'removeSeed'])(
    'at %s fails the try and the next one succeeds',
    async (verb) => {
      faults({ verb, kind })
      const first = await run(install, kind === 'hang' ? { limits: { actMs: 150, imageMs: 150 } } : {})
      expect(first.result).toMatchObject({ ok: false, final: false })
      faults()
      const second = await run(install)
      expect(second.result).toEqual({ ok: true, power: 'on', proven: true })
      await expectInstalled(1, 2222, password)
    },
  )
})

test('a machine that is not there: stop is content, start and restart fail for good', async () => {
  expect((await run({ kind: 'stop', force: true, graceSeconds: 0 })).result).toMatchObject({
    ok: true,
    power: 'absent',
  })
  expect((await run({ kind: 'start' })).result).toMatchObject({ ok: false, final: true, message: '服务器不存在' })
  expect((await run({ kind: 'restart' })).result).toMatchObject({ ok: false, final: true, message: '服务器不存在' })
  expect((await run(larger)).result).toMatchObject({ ok: false, final: true, message: '服务器不存在' })
})

test('a resize of a machine that its owner has stopped leaves it off', async () => {
  await run(install)
  await run({ kind: 'stop', force: true, graceSeconds: 0 })
  const { result, steps } = await run(larger)
  expect(result).toMatchObject({ ok: true, power: 'off' })
  expect(steps.map((step) => step.status)).toEqual(['done', 'done', 'done'])
  expect((await found()).size).toEqual({ cpuCores: 4, memoryMb: 2048, diskGb: 9 })
})

test.each<[string, FaultKind]>([
  ['resize', 'fail'],
  ['resize', 'half'],
  ['resize', 'lie'],
  ['resize', 'lose'],
  ['start', 'fail'],
  ['start', 'lie'],
])(
  'a resize whose %s does this: %s, leaves the machine running with its old processors and memory',
  async (verb, kind) => {
    await run(install)
    faults({ verb, kind })
    const told = { cpuCores: 1, memoryMb: 512 }
    expect((await run(larger)).result).toMatchObject({ ok: false, final: false, power: 'on', size: told })
    expect((await found()).size).toMatchObject(told)
    expect((await run(larger)).result).toMatchObject({ ok: true, power: 'on' })
  },
)

const back: JobPayload = { kind: 'resize', cpuCores: 1, memoryMb: 512, diskGb: 3 }
describe.each(['before', 'after'] as const)('a resize that was killed %s an act and then given up', (when) => {
  test.each(verbs.resize)(
    'at %s: the resize back brings processors and memory back, and leaves the disk',
    async (verb) => {
      const installed = { kind: 'install' as const, machine: machine({ diskGb: 3 }) }
      await run(installed)
      await killedAt(larger, verb, when)
      const { diskGb } = (await found()).size!
      const { result } = await run(back)
      expect(result).toEqual({ ok: true, power: 'on', proven: false, size: { cpuCores: 1, memoryMb: 512 } })
      expect(await found()).toMatchObject({
        power: 'on',
        autostart: true,
        size: { cpuCores: 1, memoryMb: 512, diskGb },
      })
      expect((await run(back)).result).toEqual(result)
    },
  )
})

test('a resize that fails once more after a crash tells the size that the machine has by now', async () => {
  await run(install)
  const earlier = await killedAt(larger, 'resize', 'after')
  faults({ verb: 'start', kind: 'fail', times: 2 })
  expect((await run(larger, { earlier })).result).toMatchObject({ ok: false, size: { cpuCores: 4, memoryMb: 2048 } })
})

describe('a hypervisor that is away', () => {
  test.each(verbs.install)('at %s of an install is waited for: one try, one machine', async (verb) => {
    faults({ verb: 'checkPresence', kind: 'away' }, { verb, kind: 'away' })
    const { result, steps } = await run(install)
    expect(result).toEqual({ ok: true, power: 'on', proven: true })
    expect(steps.every(({ status }) => status === 'done')).toBe(true)
    expect((await found()).disks).toHaveLength(1)
  })
})

test('a guest that does not come up ends its install for good and names the image, and nothing of it is left', async () => {
  faults({ verb: 'awaitBoot', kind: 'hang' })
  const { result } = await run({ kind: 'install', machine: machine({ sshPort: 22 }) }, { limits: { bootMs: 100 } })
  expect(result).toMatchObject({
    ok: false,
    final: true,
    message: '系统未能在限定时间内启动',
    power: 'absent',
    unbootable: { file: 'tiny.qcow2' },
  })
})

test('one that boots, but is silent on the port that its owner chose, says nothing of its image: no tenant takes one off the shop', async () => {
  faults({ verb: 'awaitBoot', kind: 'hang' })
  const { result } = await run({ kind: 'install', machine: machine({ sshPort: 5355 }) }, { limits: { bootMs: 100 } })
  expect(result).toMatchObject({ ok: false, final: true, message: expect.stringContaining('SSH 端口') })
  expect(result).not.toHaveProperty('unbootable')
})

test('a kind of job that this agent does not know, of a later API, fails for good', async () => {
  const later: JobPayload = JSON.parse('{"kind":"later"}')
  expect((await run(later)).result).toMatchObject({ ok: false, final: true, message: '不支持' })
})
