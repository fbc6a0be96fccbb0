import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.js'
import { temporaryFolder } from './testing/agent.js'
import { longestStateDir, removeTemporaryFolders, temporaryFolders } from './temporary.js'

let state: ReturnType<typeof temporaryFolder>
beforeEach(() => (state = temporaryFolder()))
afterEach(() => state.remove())

test('a folder for one act is its own, closed to others, and gone with the act whatever comes of it', async () => {
  const withTemporaryFolder = temporaryFolders(state.path)
  const [one, other] = await Promise.all([1, 2].map(() => withTemporaryFolder(async (folder) => folder)))
  expect(one).not.toBe(other)
  await withTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, 'file'), 'text')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
  await expect(withTemporaryFolder(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(readdirSync(join(state.path, 'tmp'))).toEqual([])
})

test('what a killed agent left in them is removed, and folders can be made again', async () => {
  mkdirSync(join(state.path, 'tmp', 'act-killed'), { recursive: true })
  writeFileSync(join(state.path, 'tmp', 'act-killed', 'domain.xml'), '<domain/>')
  await removeTemporaryFolders(state.path)
  expect(readdirSync(state.path)).toEqual([])
  const there = await temporaryFolders(state.path)(async (folder) => existsSync(folder))
  expect(there).toBe(true)
})

test('a STATE_DIR in which no socket could be made is refused at the start, not by the first backup', async () => {
  const deep = (bytes: number) => `/${'x'.repeat(bytes - 1)}`
  const socket = await temporaryFolders(state.path)(async (folder) => join(folder, 'socket'))
  expect(socket.length - state.path.length + longestStateDir).toBe(107)
  const env = { STATE_DIR: deep(longestStateDir) }
  expect(readConfig(env).stateDir).toBe(env.STATE_DIR)
  expect(() => readConfig({ STATE_DIR: deep(longestStateDir + 1) })).toThrow('STATE_DIR is too long')
})
