import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { qcow2Header } from '../../testing/qcow2.js'
import { openImageCheck } from './image-check.js'
import { VirshError } from './run.js'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const path = join(folder.path, 'disc.iso')

function writeDisc(blocks: number): void {
  const disc = Buffer.alloc(blocks * 2048)
  disc.write('\u0001CD001', 16 * 2048, 'latin1')
  disc.writeUInt32LE(blocks, 16 * 2048 + 80)
  disc.writeUInt16LE(2048, 16 * 2048 + 128)
  writeFileSync(path, disc)
}

test('a whole disc is one, a copy that broke off is not, and the same check tells them apart', async () => {
  const check = openImageCheck()
  writeDisc(40)
  expect(await check(path)).toBeNull()
  truncateSync(path, 30 * 2048)
  expect(await check(path)).toBe('the image is damaged: 61440 of its 81920 bytes are there')
})

test.each([
  ['something else under that name', Buffer.alloc(40 * 2048, 'qcow')],
  ['an empty file', Buffer.alloc(0)],
])('%s is no disc', async (_name, content) => {
  writeFileSync(path, content)
  expect(await openImageCheck()(path)).toContain('not an ISO 9660')
})

test('a file that is not there is missing, not damaged', async () => {
  expect(await openImageCheck()(join(folder.path, 'none.iso'))).toBeNull()
})

test('a check that did not end in time says nothing of its image, and is asked again', async () => {
  const image = join(folder.path, 'image.qcow2')
  writeFileSync(image, 'some content')
  const answers = [
    new VirshError('qemu-img', ['check'], 'did not end in time', true, null),
    new VirshError('qemu-img', ['check'], '3 errors were found', false, 2),
  ]
  const check = openImageCheck(async () => {
    throw answers.shift() ?? new Error('asked once more')
  })
  expect(await check(image)).toBeNull()
  for (let n = 0; n < 2; n += 1) expect(await check(image)).toBe('the image is damaged: 3 errors were found')
})

test.each([
  ['rests on another file', qcow2Header(1024 ** 3, '/etc/shadow')],
  ['has its content in another file', withDataFile(qcow2Header(1024 ** 3, null))],
])('an image that %s is told before QEMU’s programs open it', async (_name, content) => {
  const image = join(folder.path, 'elsewhere.qcow2')
  writeFileSync(image, content)
  const check = openImageCheck(() => expect.unreachable())
  expect(await check(image)).toBe('the image is not whole: it is based on another file')
})

function withDataFile(header: Buffer): Buffer {
  header.writeBigUInt64BE(4n, 72)
  return header
}
