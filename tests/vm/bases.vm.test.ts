import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { makeHostFolder, settingsOf } from './host.js'

/** No guest boots here. */

const made = { epoch: 1, number: 1 }
let folder: ReturnType<typeof makeHostFolder>
let image: string
let other: string
let hypervisor: Hypervisor
let server: string

beforeEach(async () => {
  folder = makeHostFolder()
  image = path.join(folder.imagesDir, 'tiny.qcow2')
  other = path.join(folder.folder, 'other.qcow2')
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', other, '1G'])
  server = randomUUID()
  hypervisor = await opened()
})

async function opened(): Promise<Hypervisor> {
  const virsh = openVirsh(settingsOf(folder))
  await virsh.open()
  return virsh
}
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
const bases = () => readdirSync(path.join(folder.storageDir, 'base')).toSorted()
const basePath = (hash: string) => path.join(folder.storageDir, 'base', `${hash}.img`)
const changed = async (of = hypervisor) => (await of.inventory()).changedBases

/** As somebody does who opens the file. */
function writeInto(file: string) {
  chmodSync(file, 0o644)
  writeFileSync(file, 'x', { flag: 'r+' })
}

test('an image that is written over in place leaves the disks made of it as they were', async () => {
  const hash = hashOf(image)
  await hypervisor.createDisk(server, machine(), made)
  copyFileSync(other, image)
  expect(hashOf(basePath(hash))).toBe(hash)
  expect(statSync(basePath(hash)).mode & 0o777).toBe(0o444)
  await run('qemu-img', ['check', '-q', path.join(folder.storageDir, `${server}.1.1.qcow2`)])
  expect(await changed()).toEqual([])
})

test('where disks are copies one holds its whole image, as large as was ordered, and rests on nothing', async () => {
  const copying = openVirsh({ ...settingsOf(folder), disks: 'copy' })
  await copying.open()
  await copying.createDisk(server, machine({ diskGb: 3 }), made)
  const disk = path.join(folder.storageDir, `${server}.1.1.qcow2`)
  const info = JSON.parse(await run('qemu-img', ['info', '--output=json', disk])) as Record<string, unknown>
  expect(info).toMatchObject({ format: 'qcow2', 'virtual-size': 3 * 1024 ** 3 })
  expect(info).not.toHaveProperty('backing-filename')
  await run('qemu-img', ['compare', '-q', image, disk])
  // A half-made one is made anew.
  writeFileSync(`${disk}.new`, 'half')
  await copying.createDisk(server, machine({ diskGb: 3 }), made)
  expect((await copying.find(server)).disks).toEqual([made])
})

test('a base that an earlier agent linked to its image is parted from it at the start', async () => {
  const hash = hashOf(image)
  mkdirSync(path.join(folder.storageDir, 'base'), { recursive: true })
  linkSync(image, basePath(hash))
  const before = statSync(basePath(hash)).ino
  hypervisor = await opened()
  copyFileSync(other, image)
  expect(hashOf(basePath(hash))).toBe(hash)
  // Running machines have this very file open.
  expect(statSync(basePath(hash)).ino).toBe(before)
})

test('a base that was changed is told at the next start, refuses new disks, and is good again once it is as it was', async () => {
  const [hash, whole] = [hashOf(image), readFileSync(image)]
  await hypervisor.createDisk(server, machine(), made)
  writeInto(basePath(hash))
  const restarted = await opened()
  expect(await changed(restarted)).toEqual([{ sha256: hash, disks: 1 }])
  // Which images are the same must be told with it.
  expect((await restarted.inventory()).images).toMatchObject([{ file: 'tiny.qcow2', sha256: hash }])
  const refusal = { final: true, customer: '系统镜像不可用' }
  await expect(hypervisor.verifyImage(machine().image)).rejects.toMatchObject(refusal)
  await expect(hypervisor.createDisk(randomUUID(), machine(), made)).rejects.toMatchObject(refusal)
  writeFileSync(basePath(hash), whole)
  expect(await changed()).toEqual([])
  await hypervisor.createDisk(randomUUID(), machine(), made)
})

test('a changed base that nothing rests on is made anew', async () => {
  const hash = hashOf(image)
  await hypervisor.createDisk(server, machine(), made)
  rmSync(path.join(folder.storageDir, `${server}.1.1.qcow2`))
  writeInto(basePath(hash))
  expect(await changed()).toEqual([])
  await hypervisor.createDisk(server, machine(), made)
  expect(hashOf(basePath(hash))).toBe(hash)
})

test('an old base goes with the last disk on it; the one of a present image stays', async () => {
  const first = hashOf(image)
  await hypervisor.createDisk(server, machine(), made)
  copyFileSync(other, image)
  const second = randomUUID()
  await hypervisor.createDisk(second, machine(), made)
  expect(bases()).toEqual([first, hashOf(other)].map((hash) => `${hash}.img`).toSorted())
  await hypervisor.remove(second)
  expect(bases()).toHaveLength(2)
  await hypervisor.remove(server)
  expect(bases()).toEqual([`${hashOf(other)}.img`])
})
