import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { lacksSmallDisks, mountSmallDisk } from '../../testing/small-disk.js'
import { openWiping } from './wiping.js'

/** Without QEMU; overwriting is proven in `tests/vm/wiping.vm`. */

let folder: ReturnType<typeof temporaryFolder>
let troubles: unknown[]
let wiped: number
beforeEach(() => {
  folder = temporaryFolder()
  troubles = []
  wiped = 0
})
afterEach(() => folder.remove())

const opened = (how: 'discard' | 'overwrite' | 'none') =>
  openWiping(folder.path, how, {
    onTrouble: (error) => void troubles.push(error),
    onWiped: async () => void (wiped += 1),
  })
const put = (name: string) => writeFileSync(join(folder.path, name), Buffer.alloc(200_000, 'secret'))
const files = () => readdirSync(folder.path)

test('a file that is discarded has given its blocks back even where somebody still has it open', async () => {
  put('a.qcow2')
  const reader = await open(join(folder.path, 'a.qcow2'))
  try {
    await opened('discard').remove(['a.qcow2'])
    expect(files()).toEqual([])
    expect(await reader.stat()).toMatchObject({ size: 0, blocks: 0 })
  } finally {
    await reader.close()
  }
})

test('without wiping a file is unlinked, and what it held is there as long as somebody has it open', async () => {
  put('a.qcow2')
  const reader = await open(join(folder.path, 'a.qcow2'))
  try {
    await opened('none').remove(['a.qcow2'])
    expect(files()).toEqual([])
    expect((await reader.readFile()).includes('secret')).toBe(true)
  } finally {
    await reader.close()
  }
})

test.each(['discard', 'none'] as const)(
  'what an earlier agent has left is gone after the next look: %s',
  async (how) => {
    put('a.1.1.qcow2.0a1b2c3d.wiping')
    put('b.1.1.qcow2.0a1b2c3d.wiping')
    put('b.1.1.qcow2')
    const wiping = opened(how)
    await wiping.goOn()
    expect(files()).toEqual(['b.1.1.qcow2'])
    expect(wiped).toBe(1)
    await wiping.goOn()
    expect(wiped).toBe(1)
    expect(troubles).toEqual([])
  },
)

test.for(['discard', 'overwrite', 'none'] as const)(
  'where there is no room for another name files go all the same, and so give room back: %s',
  async (how, { skip }) => {
    if (lacksSmallDisks) skip(lacksSmallDisks)
    const disk = mountSmallDisk(folder.path, 'ext4')
    try {
      const names = Array.from({ length: 8 }, (_, n) => `${n}.1.1.qcow2`)
      for (const name of names) put(name)
      disk.fill()
      const wiping = opened(how)
      await wiping.remove(names)
      await wiping.goOn()
      expect(files().filter((name) => name.includes('qcow2'))).toEqual([])
      expect(troubles).toEqual([])
    } finally {
      disk.unmount()
    }
  },
)

test('one that cannot be wiped is told and tried again, and holds up no other', async () => {
  mkdirSync(join(folder.path, 'a.wiping'))
  put('b.wiping')
  const wiping = opened('discard')
  await wiping.goOn()
  expect(files()).toEqual(['a.wiping'])
  await wiping.goOn()
  expect(troubles).toHaveLength(2)
})
