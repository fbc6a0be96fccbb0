import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { qcow2Header, qcow2Snapshots } from '../../testing/qcow2.js'
import { readQcow2 } from './qcow2.js'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => void (folder = temporaryFolder()))
afterEach(() => folder.remove())

const put = (name: string, content: Buffer | string) => {
  writeFileSync(join(folder.path, name), content)
  return join(folder.path, name)
}

test('a disk says how large it is and what it rests on', async () => {
  const path = put('disk.qcow2', qcow2Header(20 * 1024 ** 3, '/srv/base/镜像.img'))
  expect(await readQcow2(path)).toEqual({ backing: '/srv/base/镜像.img', virtualBytes: 20 * 1024 ** 3, snapshots: [] })
})

test('an image that rests on nothing says so', async () => {
  expect(await readQcow2(put('image.qcow2', qcow2Header(5, null)))).toEqual({
    backing: null,
    virtualBytes: 5,
    snapshots: [],
  })
})

test('a disk names the snapshots in it, whatever else their entries hold', async () => {
  const names = ['0192b3a0-0000-7000-8000-000000000001', '手工', '0192b3a0-0000-7000-8000-000000000002']
  const disk = Buffer.concat([qcow2Header(5, null), qcow2Snapshots(names)])
  disk.writeUInt32BE(names.length, 60)
  disk.writeBigUInt64BE(512n, 64)
  expect((await readQcow2(put('snapshots.qcow2', disk)))?.snapshots).toEqual(names)
})

test('a table that lies about how many there are, or how long they are, ends with the file', async () => {
  const disk = Buffer.concat([qcow2Header(5, null), qcow2Snapshots(['one'])])
  disk.writeUInt32BE(0xffffffff, 60)
  disk.writeBigUInt64BE(512n, 64)
  expect((await readQcow2(put('liar.qcow2', disk)))?.snapshots).toEqual(['one'])
  disk.writeUInt32BE(0xffffffff, 512 + 36)
  expect((await readQcow2(put('liar.qcow2', disk)))?.snapshots.length).toBeLessThanOrEqual(1)
})

test.each([
  ['another format', Buffer.alloc(512, 1)],
  ['a file that broke off in its header', qcow2Header(5, null).subarray(0, 20)],
  ['an empty file', Buffer.alloc(0)],
])('%s is not a disk', async (_what, content) => {
  expect(await readQcow2(put('x.qcow2', content))).toBeNull()
})

test('a file that is gone, or a folder, is no disk and no error', async () => {
  expect(await readQcow2(join(folder.path, 'gone.qcow2'))).toBeNull()
  mkdirSync(join(folder.path, 'folder.qcow2'))
  expect(await readQcow2(join(folder.path, 'folder.qcow2'))).toBeNull()
})

test('a header that lies about the length of its name does not make the agent read for ever', async () => {
  const header = qcow2Header(5, '/base.img')
  header.writeUInt32BE(0xffffffff, 16)
  const read = await readQcow2(put('liar.qcow2', header))
  expect(Buffer.byteLength(read?.backing ?? '')).toBeLessThanOrEqual(1023)
  expect(read?.backing?.startsWith('/base.img')).toBe(true)
})
