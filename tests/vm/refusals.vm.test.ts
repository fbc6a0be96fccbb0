import { randomUUID } from 'node:crypto'
import { copyFileSync, readdirSync, writeFileSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import { beforeAll, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { makeHostFolder, patient, settingsOf, virsh } from './host.js'

/** No guest boots here. */

const folder = makeHostFolder()
const image = path.join(folder.imagesDir, 'tiny.qcow2')
const limits = { ...patient, stillMs: 5000, loginMs: 1000, graceMs: 1000, awayMs: 0, pollMs: 200 }
let hypervisor: Hypervisor

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
})

async function install(change: Partial<ReturnType<typeof machine>>, quicker: Partial<typeof limits> = {}) {
  const job: ClaimedJob = {
    id: randomUUID(),
    serverId: randomUUID(),
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload: { kind: 'install', machine: machine(change) },
    secrets: { password: 'Never-Used-3x' },
  }
  const deps = {
    hypervisor,
    presence: quietPresence(hypervisor),
    memory: openMemory(folder.stateDir),
    limits: { ...limits, ...quicker },
  }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}
const withImage = (change: object) => ({ image: { ...machine().image, ...change } })
const leftovers = async () => [await virsh(['list', '--all', '--uuid']), readdirSync(folder.storageDir)]

test('an image that is whole and holds no system ends the install for good, long before the boot time-out, and leaves nothing', async () => {
  const blank = path.join(folder.imagesDir, 'blank.qcow2')
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', blank, '1G'])
  expect(await install(withImage({ file: 'blank.qcow2' }))).toMatchObject({
    ok: false,
    final: true,
    message: '所选系统的镜像无法启动',
    power: 'absent',
    unbootable: { file: 'blank.qcow2', sha256: (await run('sha256sum', [blank])).slice(0, 64) },
  })
  expect(await leftovers()).toEqual(['', ['base', 'storage.id']])
})

test('a guest that is still at work when its time is over ends the install for good on this host, after one wait', async () => {
  expect(await install({ sshPort: 22 }, { bootMs: 1500 })).toMatchObject({
    ok: false,
    final: true,
    message: '系统未能在限定时间内启动',
    power: 'absent',
    unbootable: { file: 'tiny.qcow2' },
  })
  expect(await leftovers()).toEqual(['', ['base', 'storage.id']])
})

test('a missing image, a wrong checksum and an image based on another are refused for good', async () => {
  await run('qemu-img', [
    'create',
    '-q',
    '-f',
    'qcow2',
    '-b',
    image,
    '-F',
    'qcow2',
    path.join(folder.imagesDir, 'thin.qcow2'),
  ])
  expect(await install(withImage({ file: 'none.qcow2' }))).toMatchObject({
    final: true,
    message: '宿主机上没有所选的系统镜像',
  })
  expect(await install(withImage({ sha256: '0'.repeat(64) }))).toMatchObject({
    final: true,
    message: '系统镜像校验失败',
  })
  expect(await install(withImage({ file: 'thin.qcow2' }))).toMatchObject({ final: true, message: '系统镜像不可用' })
  expect(await leftovers()).toEqual(['', ['base', 'storage.id']])
})

test('a bridge that is not there fails the try with what libvirt said, for the operator', async () => {
  const result = await install({ network: { ...machine().network, bridge: 'br-none' } })
  expect(result).toMatchObject({ ok: false, message: '启动虚拟机失败', detail: expect.stringContaining('br-none') })
  expect(await leftovers()).toEqual(['', ['base', 'storage.id']])
})

test('an image may be replaced while machines are based on it', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const made = { epoch: 1, number: 1 }
  await hypervisor.createDisk(first, machine(), made)
  copyFileSync(image, `${image}.next`)
  await run('qemu-img', ['resize', '-q', `${image}.next`, '+64M'])
  renameSync(`${image}.next`, image)
  await hypervisor.createDisk(second, machine(), made)
  const [one, two] = await Promise.all([first, second].map(baseOf))
  expect(one).not.toBe(two)
  expect(statSync(two as string).size).toBe(statSync(image).size)
  await Promise.all([first, second].map((id) => run('qemu-img', ['check', '-q', diskOf(id)])))
  await Promise.all([first, second].map((id) => hypervisor.remove(id)))
})

test('one domain whose definition cannot be read is told as such, and the others as ever', async () => {
  const well = randomUUID()
  await hypervisor.createDisk(well, machine(), { epoch: 1, number: 1 })
  await hypervisor.define(well, machine(), { epoch: 1, number: 1 })
  const odd = randomUUID()
  const file = path.join(folder.folder, 'odd.xml')
  writeFileSync(
    file,
    `<domain type='qemu'><name>odd</name><uuid>${odd}</uuid><memory>65536</memory><os><type arch='x86_64'>hvm</type></os>
     <metadata><vps:server xmlns:vps='urn:x'><vps:rack><vps:unit>7</vps:unit></vps:rack></vps:server></metadata></domain>`,
  )
  await virsh(['define', file])
  const { domains } = await hypervisor.inventory()
  expect(domains.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
    { uuid: odd, name: 'odd', generation: null },
    { uuid: well, generation: { epoch: 1, number: 1 }, unreadable: null },
  ])
  await virsh(['undefine', odd])
  await hypervisor.remove(well)
})

function diskOf(serverId: string): string {
  return path.join(folder.storageDir, `${serverId}.1.1.qcow2`)
}

async function baseOf(serverId: string): Promise<string> {
  const info: unknown = JSON.parse(await run('qemu-img', ['info', '--output=json', diskOf(serverId)]))
  return (info as { 'full-backing-filename': string })['full-backing-filename']
}
