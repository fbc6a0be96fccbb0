import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { compare } from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { GuestStill, HypervisorError, LoginRefused } from '../hypervisor/hypervisor.js'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const jobs = setUpJobs()
const { run, host, found, faults, memory, logIn, expectInstalled } = jobs
const first = { epoch: 1, number: 1 }
const reinstall = (change = {}): JobPayload => ({ kind: 'reinstall', machine: machine(change) })
const again = { generation: 2, secret: 'Second-Horse-2' }

test('an install asks for each thing once, in an order in which nothing is missed', async () => {
  const { hypervisor, acts } = watch(host())
  await run(install, { hypervisor })
  expect(acts).toEqual(
    'verifyImage remove createDisk createSeed define start setAutostart awaitBoot tryLogin removeSeed'.split(' '),
  )
})

describe('the seed', () => {
  test('holds a hash of the password and never the password', async () => {
    let hash = ''
    const real = host()
    const { hypervisor } = watch(real, {
      createSeed: async (id, described, generation, secrets) => {
        hash = secrets.passwordHash
        await real.createSeed(id, described, generation, secrets)
      },
    })
    await run(install, { hypervisor })
    expect(hash).not.toContain(password)
    expect(await compare(password, hash)).toBe(true)
  })

  test('is made only once its host key is remembered: a guest that may have it can be proven', async () => {
    let known: string | null = null
    let given = ''
    const real = host()
    const { hypervisor } = watch(real, {
      createSeed: async (id, described, generation, secrets) => {
        known = await memory().hostKeyOf(id, first)
        given = secrets.hostKey.fingerprint
        await real.createSeed(id, described, generation, secrets)
      },
    })
    await run(install, { hypervisor })
    expect(known).toBe(given)
  })

  test('is not made of nothing: a job without its password fails for good', async () => {
    const { result } = await run(install, { secret: null })
    expect(result).toMatchObject({ ok: false, final: true, detail: expect.stringContaining('without its password') })
  })
})

describe('before anything is deleted', () => {
  test('a name that another machine has ends the job for good', async () => {
    await run(install)
    const real = host()
    const { hypervisor, acts } = watch(real, { find: async (id) => ({ ...(await real.find(id)), nameTaken: true }) })
    const { result } = await run(reinstall(), { ...again, hypervisor })
    expect(result).toMatchObject({ ok: false, final: true, message: '宿主机上有同名的虚拟机' })
    expect(acts).toEqual(['verifyImage'])
    await logIn(password)
  })

  test('is made whole on a host that never had it: its own was lost', async () => {
    const { result } = await run(reinstall(), again)
    expect(result).toMatchObject({ ok: true, proven: true })
    expect((await found()).definedBy).toEqual({ epoch: 1, number: 2 })
  })

  test('an image that cannot be used ends a reinstall, and the old machine stays as it was', async () => {
    await run(install)
    const image = { ...machine().image, file: 'nowhere.qcow2' }
    const { result } = await run(reinstall({ image }), again)
    expect(result).toMatchObject({ ok: false, final: true, message: '宿主机上没有所选的系统镜像', power: 'on' })
    await expectInstalled(1, 2222, password)
  })
})

describe('a failed try', () => {
  test('of a first install takes back what it made', async () => {
    faults({ verb: 'tryLogin', kind: 'fail', times: 100 })
    expect((await run(install)).result).toMatchObject({ ok: false, final: false, power: 'absent' })
    expect(await found()).toMatchObject({ power: 'absent', disks: [], seeds: [] })
  })

  test('of a reinstall keeps what it made, and the next one makes the rest', async () => {
    await run(install)
    faults({ verb: 'define', kind: 'fail' })
    expect((await run(reinstall(), again)).result).toMatchObject({ ok: false, power: 'absent' })
    expect((await found()).disks).toEqual([{ epoch: 1, number: 2 }])
    const { hypervisor, acts } = watch(host())
    expect((await run(reinstall(), { ...again, hypervisor })).result).toMatchObject({ ok: true, proven: true })
    expect(acts).not.toContain('createDisk')
  })

  test('after the login was proven takes nothing back, whatever fails', async () => {
    faults({ verb: 'removeSeed', kind: 'fail' })
    expect((await run(install)).result).toMatchObject({ ok: false, power: 'on' })
    expect((await found()).disks).toEqual([first])
    const { hypervisor, acts } = watch(host())
    expect((await run(install, { hypervisor })).result).toMatchObject({ ok: true, proven: true })
    expect(acts).not.toContain('start')
  })
})

describe('a guest that does not come up', () => {
  const still = async () => Promise.reject(new GuestStill(7))

  test('in which nothing moves ends the job for good and names the very image', async () => {
    const { dir } = host().images
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'tiny.qcow2'), 'an image')
    const { hypervisor } = watch(host(), { awaitBoot: still })
    const sha256 = createHash('sha256').update('an image').digest('hex')
    expect((await run(install, { hypervisor })).result).toMatchObject({
      ok: false,
      final: true,
      message: '所选系统的镜像无法启动',
      unbootable: { file: 'tiny.qcow2', sha256 },
    })
  })

  test('whose image is gone meanwhile is named without a checksum', async () => {
    const { hypervisor } = watch(host(), { awaitBoot: still })
    expect((await run(install, { hypervisor })).result).toHaveProperty('unbootable', {
      file: 'tiny.qcow2',
      sha256: null,
    })
  })

  test('for a reason of its own says nothing about the image, and the job may be tried again', async () => {
    faults({ verb: 'awaitBoot', kind: 'fail' })
    const { result } = await run(install)
    expect(result).toMatchObject({ ok: false, final: false, message: '等待系统启动失败' })
    expect(result).not.toHaveProperty('unbootable')
  })

  test('is given up after the time in which it may stand still, which the hypervisor is told', async () => {
    let told: number | undefined
    const { hypervisor } = watch(host(), {
      awaitBoot: async (_id, _access, _signal, stillMs) => {
        told = stillMs
      },
    })
    await run(install, { hypervisor, limits: { stillMs: 321 } })
    expect(told).toBe(321)
  })
})

describe('the proof of login', () => {
  const limits = { loginMs: 40, pollMs: 5 }

  test('is tried until the guest takes the password, which may be a while after it came up', async () => {
    faults({ verb: 'tryLogin', kind: 'fail', times: 3 })
    const { hypervisor, acts } = watch(host())
    expect((await run(install, { hypervisor, limits: { loginMs: 20_000 } })).result).toMatchObject({ proven: true })
    expect(acts.filter((act) => act === 'tryLogin')).toHaveLength(4)
  })

  test.each([
    [new LoginRefused('wrong password'), '系统已启动，但未接受设置的密码', 'wrong password'],
    [new HypervisorError('timed out'), '系统已启动，但无法通过SSH登录', 'timed out'],
    ['closed', '系统已启动，但无法通过SSH登录', 'no answer'],
  ])('that ends with %s says so to the customer', async (reason, message, detail) => {
    const { hypervisor } = watch(host(), { tryLogin: async () => Promise.reject(reason) })
    const { result } = await run(install, { hypervisor, limits })
    expect(result).toMatchObject({ ok: false, final: false, message })
    expect(result).toHaveProperty('detail', expect.stringContaining(`no login with the delivered password: ${detail}`))
    expect(await memory().isProven(jobs.serverId, first)).toBe(false)
  })

  test('goes to the address, port and user of the description, with the key of this generation', async () => {
    let asked: unknown[] = []
    const { hypervisor } = watch(host(), {
      tryLogin: async (...given) => {
        asked = given
      },
    })
    await run(install, { hypervisor })
    const access = { address: '10.77.0.2', port: 2222, username: 'root', readiness: 'ssh' }
    expect(asked).toEqual([jobs.serverId, access, password, await memory().hostKeyOf(jobs.serverId, first)])
    expect(await memory().isProven(jobs.serverId, first)).toBe(true)
  })
})
