import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/agent.js'
import { openStoragePlace } from './storage-place.js'

let folder: ReturnType<typeof temporaryFolder>
let dirs: { storageDir: string; stateDir: string; thinPool: null }
beforeEach(() => {
  folder = temporaryFolder()
  dirs = { storageDir: join(folder.path, 'machines'), stateDir: join(folder.path, 'state'), thinPool: null }
  mkdirSync(dirs.storageDir)
})
afterEach(() => folder.remove())

const away = () => openStoragePlace(dirs).away()
const note = () => openStoragePlace(dirs).note()
const unmounted = { kind: 'storage', detail: expect.stringContaining('is it mounted?') }

test('an empty mount point, and none at all, is not the storage that was noted; mounted again it is', async () => {
  expect(await away()).toBeNull()
  await note()
  expect(await away()).toBeNull()
  renameSync(dirs.storageDir, join(folder.path, 'elsewhere'))
  expect(await away()).toMatchObject(unmounted)
  mkdirSync(dirs.storageDir)
  expect(await away()).toMatchObject(unmounted)
  rmSync(dirs.storageDir, { recursive: true })
  renameSync(join(folder.path, 'elsewhere'), dirs.storageDir)
  expect(await away()).toBeNull()
})

test('another storage is one once the operator says so, and a new STATE_DIR takes the one it finds', async () => {
  await note()
  const kept = join(dirs.stateDir, 'storage.id')
  const other = 'another'
  writeFileSync(join(dirs.storageDir, 'storage.id'), `${other}\n`)
  expect(await away()).toMatchObject({ detail: expect.stringContaining(`delete ${kept}`) })
  rmSync(kept)
  expect(await away()).toBeNull()
  await note()
  expect([readFileSync(kept, 'utf8'), await away()]).toEqual([`${other}\n`, null])
})

test('noted twice it is the same', async () => {
  await note()
  const before = readFileSync(join(dirs.storageDir, 'storage.id'), 'utf8')
  await note()
  expect(readFileSync(join(dirs.storageDir, 'storage.id'), 'utf8')).toBe(before)
  expect(existsSync(join(dirs.storageDir, 'storage.id.new'))).toBe(false)
})
