import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHostKey } from '../../host-key.js'
import { putFaults, quickHost, temporaryFolder } from '../../testing/agent.js'
import { machine } from '../../testing/machines.js'
import { accessOf, HypervisorAway, type Hypervisor, LoginRefused } from '../hypervisor.js'

/** It must answer as libvirt does, or what is proven on it proves nothing. */

const made = { epoch: 1, number: 1 }
const password = 'Correct-Horse-1'
let folder: ReturnType<typeof temporaryFolder>
let host: Hypervisor
let serverId: string
beforeEach(async () => {
  folder = temporaryFolder()
  host = quickHost(folder.path)
  await host.open()
  serverId = randomUUID()
})
afterEach(() => folder.remove())

const signal = new AbortController().signal
const hostKey = createHostKey()
const description = machine({ cpuCores: 2, memoryMb: 1024, diskGb: 10, bandwidthMbps: 50 })
const access = accessOf(description)

async function install(): Promise<void> {
  await host.createDisk(serverId, description, made)
  await host.createSeed(serverId, description, made, { passwordHash: await host.hashPassword(password), hostKey })
  await host.define(serverId, description, made)
  await host.start(serverId)
  await host.setAutostart(serverId, true)
  await host.awaitBoot(serverId, access, signal)
}
const logIn = (secret = password, key = hostKey.fingerprint) => host.tryLogin(serverId, access, secret, key)
const volumes = async () => (await host.inventory()).volumes.map(({ name }) => name.slice(serverId.length + 1))

test('nothing is there of a server that nobody made', async () => {
  expect(await host.find(serverId)).toMatchObject({
    power: 'absent',
    definedBy: null,
    size: null,
    disks: [],
    seeds: [],
  })
  await expect(host.start(serverId)).rejects.toThrow('no such domain')
  for (const verb of [host.askShutdown, host.cutPower, host.removeSeed, host.remove]) await verb(serverId)
})

test('an installed machine is found as it was described, and its guest takes the password and the key of its seed', async () => {
  await install()
  expect(await host.find(serverId)).toMatchObject({
    power: 'on',
    autostart: true,
    definedBy: made,
    access,
    size: { cpuCores: 2, memoryMb: 1024, diskGb: 10 },
    disks: [made],
    seeds: [made],
  })
  await logIn()
  await expect(logIn('wrong')).rejects.toBeInstanceOf(LoginRefused)
  await expect(logIn(password, 'SHA256:another')).rejects.toThrow('host key')
})

test('what is there outlives the agent', async () => {
  await install()
  const found = await host.find(serverId)
  expect(await quickHost(folder.path).find(serverId)).toEqual(found)
})

test('a machine without a disk does not start', async () => {
  await host.define(serverId, description, made)
  await expect(host.start(serverId)).rejects.toThrow('the disk is missing')
})

test('a guest that never read a seed lets nobody in', async () => {
  await host.createDisk(serverId, description, made)
  await host.define(serverId, description, made)
  await host.start(serverId)
  await expect(logIn()).rejects.toThrow('host key')
})

test('a seed counts at the first boot alone: what a customer has set later stays', async () => {
  await install()
  await host.setPassword(serverId, 'root', 'Customers-Own-2')
  await host.cutPower(serverId)
  await host.createSeed(serverId, description, made, {
    passwordHash: await host.hashPassword('Other-3'),
    hostKey: createHostKey(),
  })
  await host.start(serverId)
  await expect(logIn('Customers-Own-2')).resolves.toBeUndefined()
})

test('a one-time password is taken at the next start, and only put into a machine that is off', async () => {
  await install()
  const hash = await host.hashPassword('One-Time-4')
  await expect(host.insertPassword(serverId, 'root', hash)).rejects.toThrow('the machine is on')
  await host.cutPower(serverId)
  await host.insertPassword(serverId, 'root', hash)
  await host.start(serverId)
  await expect(logIn('One-Time-4')).resolves.toBeUndefined()
})

test('where the guest is off, its agent takes no password, and that is final', async () => {
  await install()
  await host.cutPower(serverId)
  await expect(host.setPassword(serverId, 'root', 'x')).rejects.toMatchObject({ final: true })
})

test('a shutdown that was asked for takes effect by itself, a cut at once, and both may be asked again', async () => {
  await install()
  await host.askShutdown(serverId)
  expect((await host.find(serverId)).power).toBe('off')
  await host.start(serverId)
  expect((await host.find(serverId)).power).toBe('on')
  await host.cutPower(serverId)
  await host.cutPower(serverId)
  expect((await host.find(serverId)).power).toBe('off')
  await expect(host.awaitBoot(serverId, access, signal)).rejects.toThrow('went off')
  await expect(logIn()).rejects.toThrow('connection refused')
})

test('a resize asks for a machine that is off; its disk only grows; what is null stays', async () => {
  await install()
  const larger = { cpuCores: 4, memoryMb: 4096, diskGb: 20, bandwidthMbps: 200 }
  await expect(host.resize(serverId, larger)).rejects.toThrow('the machine is on')
  await host.cutPower(serverId)
  await host.resize(serverId, larger)
  await host.resize(serverId, { cpuCores: 1, memoryMb: 512, diskGb: 5, bandwidthMbps: null })
  expect((await host.find(serverId)).size).toEqual({ cpuCores: 1, memoryMb: 512, diskGb: 20 })
  const [domain] = (await host.inventory()).domains
  expect(domain?.bandwidthMbps).toEqual({ inbound: 200, outbound: 200 })
})

test('a definition made again keeps power and autostart', async () => {
  await install()
  await host.define(serverId, description, made)
  expect(await host.find(serverId)).toMatchObject({ power: 'on', autostart: true })
})

test('removing leaves nothing, whatever a broken-off act had left', async () => {
  await install()
  putFaults(folder.path, { verb: 'createDisk', kind: 'half' })
  await expect(host.createDisk(serverId, description, { epoch: 1, number: 2 })).rejects.toThrow('half done')
  expect(await volumes()).toEqual(['1.1.qcow2', '1.1.seed.iso', '1.2.qcow2.new'])
  await host.cutPower(serverId)
  await host.remove(serverId)
  expect(await host.inventory()).toMatchObject({ domains: [], volumes: [] })
})

test('an image is here when it is built in or in the folder, and must have the checksum that is meant', async () => {
  const image = (file: string, sha256: string | null = null) => ({ ...machine().image, file, sha256 })
  await host.verifyImage(image('debian-12.qcow2'))
  await expect(host.verifyImage(image('own.qcow2'))).rejects.toMatchObject({
    final: true,
    customer: '宿主机上没有所选的系统镜像',
  })
  await host.images.make()
  writeFileSync(join(folder.path, 'images', 'own.qcow2'), 'mine')
  const right = await host.images.hashOf(host.images.pathOf('own.qcow2'))
  await host.verifyImage(image('own.qcow2', right))
  await expect(host.verifyImage(image('own.qcow2', '0'.repeat(64)))).rejects.toMatchObject({
    customer: '系统镜像校验失败',
  })
  const told = (await host.inventory()).images
  expect(told.filter(({ file }) => file === 'own.qcow2')).toEqual([
    { file: 'own.qcow2', bytes: 4, sha256: right, broken: null },
  ])
  expect(told.map(({ file }) => file)).toContain('debian-12.qcow2')
})

test('figures are told of what runs; the same moment tells the same', async () => {
  const began = Date.now()
  await install()
  const [on] = await host.measure()
  expect(on).toMatchObject({ serverId, power: 'on', condition: null, cpuUsage: expect.any(Number) })
  expect(on?.uptimeSeconds).toBeGreaterThanOrEqual(0)
  expect(on?.uptimeSeconds).toBeLessThanOrEqual((Date.now() - began) / 1000)
  await host.cutPower(serverId)
  const [off] = await host.measure()
  expect(off).toMatchObject({ power: 'off', cpuUsage: null, memoryUsage: null, rxBytes: null, uptimeSeconds: null })
  const { cpuUsage, memoryUsage, diskUsage } = await host.measureHost()
  for (const share of [cpuUsage, memoryUsage, diskUsage]) expect(share).toBeLessThanOrEqual(100)
})

test('a connection test answers for a machine that runs at that address and port', async () => {
  await install()
  expect(await host.testConnection(access.address, access.port, 100)).toBeGreaterThan(0)
  expect(await host.testConnection(access.address, access.port + 1, 100)).toBeNull()
  await host.cutPower(serverId)
  expect(await host.testConnection(access.address, access.port, 100)).toBeNull()
})

describe('a fault', () => {
  test('strikes its verb as often as it says, and is used up', async () => {
    putFaults(folder.path, { verb: 'define', kind: 'fail', times: 2 })
    for (const _ of [1, 2]) await expect(host.define(serverId, description, made)).rejects.toThrow('define failed')
    await host.define(serverId, description, made)
  })

  test('strikes the server it names alone', async () => {
    putFaults(folder.path, { verb: 'define', kind: 'fail', serverId })
    await host.define(randomUUID(), description, made)
    await expect(host.define(serverId, description, made)).rejects.toThrow('define failed')
  })

  test.each([
    ['fail', 'rejects', false],
    ['lie', 'resolves', false],
    ['lose', 'rejects', true],
    ['away', 'rejects', false],
  ] as const)('%s %s, and does what it was asked: %s', async (kind, answer, done) => {
    putFaults(folder.path, { verb: 'createDisk', kind })
    const told = await host.createDisk(serverId, description, made).then(
      () => 'resolves',
      () => 'rejects',
    )
    expect(told).toBe(answer)
    expect((await host.find(serverId)).disks).toHaveLength(done ? 1 : 0)
  })

  test('away is told as away, by the verb and by the look for it', async () => {
    putFaults(folder.path, { verb: 'start', kind: 'away' }, { verb: 'checkPresence', kind: 'away' })
    await expect(host.start(serverId)).rejects.toBeInstanceOf(HypervisorAway)
    expect(await host.checkPresence()).toEqual({ kind: 'libvirt', detail: 'simulated fault' })
    expect(await host.checkPresence()).toBeNull()
  })

  test('undefine takes a definition away before an inventory, and leaves its disk', async () => {
    await install()
    putFaults(folder.path, { verb: 'inventory', kind: 'undefine', serverId })
    expect((await host.inventory()).domains).toEqual([])
    expect(await host.find(serverId)).toMatchObject({ power: 'absent', disks: [made] })
  })

  test('a half-done resize has grown the disk and nothing else; a half-done removal leaves the disks', async () => {
    await install()
    await host.cutPower(serverId)
    putFaults(folder.path, { verb: 'resize', kind: 'half' }, { verb: 'remove', kind: 'half' })
    const larger = { cpuCores: 4, memoryMb: 4096, diskGb: 20, bandwidthMbps: null }
    await expect(host.resize(serverId, larger)).rejects.toThrow('half done')
    expect((await host.find(serverId)).size).toEqual({ cpuCores: 2, memoryMb: 1024, diskGb: 20 })
    await expect(host.remove(serverId)).rejects.toThrow('half done')
    expect(await host.find(serverId)).toMatchObject({ power: 'absent', disks: [made] })
  })

  test('an abort ends a wait for a guest that never comes up', async () => {
    await install()
    putFaults(folder.path, { verb: 'awaitBoot', kind: 'hang' })
    const stop = new AbortController()
    const waiting = host.awaitBoot(serverId, access, stop.signal)
    stop.abort(new Error('given up'))
    await expect(waiting).rejects.toThrow('given up')
  })
})

describe('machines that are there from the beginning', () => {
  const running = randomUUID()
  const stopped = randomUUID()
  const seeded = (serverIds: string[]) =>
    serverIds.map((id) => ({
      serverId: id,
      power: id === running ? 'on' : 'off',
      cpuCores: 1,
      memoryMb: 512,
      diskGb: 8,
      mac: '52:54:00:00:00:09',
      address: '10.0.0.9',
    }))
  const seedFile = () => join(folder.path, 'seed.json')
  const openSeeded = () => quickHost(join(folder.path, 'another'), { seedFile: seedFile() })

  test('are read from the seed file, running or not', async () => {
    writeFileSync(seedFile(), JSON.stringify(seeded([running, stopped])))
    const other = openSeeded()
    expect(await other.find(running)).toMatchObject({ power: 'on', autostart: true, size: { cpuCores: 1, diskGb: 8 } })
    expect(await other.find(stopped)).toMatchObject({
      power: 'off',
      autostart: false,
      access: { address: '10.0.0.9', port: 22 },
    })
    const [told] = (await other.inventory()).domains
    expect(told).not.toHaveProperty('bandwidthMbps')
  })

  test('are not made again once the host has a state of its own', async () => {
    writeFileSync(seedFile(), JSON.stringify(seeded([running])))
    const first = openSeeded()
    await first.cutPower(running)
    await first.remove(running)
    expect((await openSeeded().inventory()).domains).toEqual([])
  })

  test('a seed file that is not there is an empty host, and a broken one is refused', async () => {
    expect((await openSeeded().inventory()).domains).toEqual([])
    writeFileSync(seedFile(), JSON.stringify([{ serverId: 'x' }]))
    expect(() => quickHost(join(folder.path, 'third'), { seedFile: seedFile() })).toThrow('Invalid UUID')
    expect(existsSync(join(folder.path, 'third', 'simulated-host.json'))).toBe(false)
  })
})
