import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { openStoragePlace } from './storage-place.js'
import { deviceOf, parseStatus, partsIn, sourceOf, statusOf } from './thin-volumes.js'

/** What LVM itself does is proven in `tests/vm/thin.vm`. */

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => (folder = temporaryFolder()))
afterEach(() => folder.remove())

test('a disk is in a volume where its name links to a device, and else a file, also one linked to', async () => {
  const at = (name: string) => join(folder.path, name)
  writeFileSync(at('file'), '')
  symlinkSync(at('file'), at('moved'))
  symlinkSync('/dev/vps/not-there', at('volume'))
  expect(await Promise.all(['file', 'moved', 'missing'].map((one) => deviceOf(at(one))))).toEqual([null, null, null])
  expect(await deviceOf(at('volume'))).toBe('/dev/vps/not-there')
  expect(await sourceOf(at('volume'))).toBe('/dev/vps/not-there')
  expect(await sourceOf(at('moved'))).toBe(at('moved'))
})

test("the written parts of a volume are read from the map of thin_dump, whose blocks are the pool's", async () => {
  const map = `<superblock uuid="" time="0" transaction="3" version="2" data_block_size="128" nr_data_blocks="0">
  <device dev_id="2" mapped_blocks="18" transaction="2" creation_time="0" snap_time="0">
    <single_mapping origin_block="0" data_block="0" time="0"/>
    <range_mapping origin_begin="1600" data_begin="1" length="16" time="0"/>
    <single_mapping origin_block="1616" data_block="40" time="0"/>
  </device>
</superblock>`
  async function* lines(text: string) {
    yield* text.split('\n')
  }
  expect(await partsIn(lines(map))).toEqual([
    { from: 0, to: 65_536 },
    { from: 104_857_600, to: 105_971_712 },
  ])
  expect(await partsIn(lines('<superblock data_block_size="128">'))).toEqual([])
})

test('a pool that is not active is a storage that is away, and the sentence says how it comes back', async () => {
  const thinPool = { group: 'no-such', pool: 'pool' }
  const storageDir = join(folder.path, 'machines')
  mkdirSync(storageDir)
  expect(await statusOf(thinPool)).toBeNull()
  const away = await openStoragePlace({ storageDir, stateDir: folder.path, thinPool }).away()
  expect(away).toMatchObject({ kind: 'storage', detail: expect.stringContaining('vgchange --activate y no-such') })
  expect(existsSync(join(storageDir, 'storage.id'))).toBe(false)
})

test('a pool’s status is read from its line of the device mapper: the fuller of data and map, and why it takes nothing new', () => {
  const line = (rest: string) => parseStatus(`0 204800 thin-pool ${rest}\n`)
  const bytes = 104_857_600
  const half = { bytes, used: 0.5, free: bytes / 2, fault: null }
  expect(line('3 40/1024 800/1600 - rw discard_passdown queue_if_no_space - 1024')).toEqual(half)
  expect(line('3 512/1024 8/1600 77 rw no_discard_passdown error_if_no_space - 1024')).toEqual(half)
  const full = { bytes, used: 1, free: 0, fault: null }
  expect(line('3 40/1024 1600/1600 - out_of_data_space discard_passdown error_if_no_space - 1024')).toEqual(full)
  expect(line('3 1024/1024 8/1600 - ro discard_passdown queue_if_no_space needs_check 1024')).toEqual({
    ...full,
    fault: 'ro',
  })
  expect(line('3 40/1024 800/1600 - rw discard_passdown queue_if_no_space needs_check 1024').fault).toBe('needs_check')
  expect(line('Fail')).toEqual({ ...full, fault: 'Fail' })
  expect(() => parseStatus('0 204800 linear'), 'of another target').toThrow('no thin pool: 0 204800 linear')
})
