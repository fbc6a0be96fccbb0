import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type JournalEntry, openJournal } from './journal.js'
import { openMemory } from './memory.js'
import { temporaryFolder } from './testing/agent.js'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const entry = (change: Partial<JournalEntry> = {}): JournalEntry => ({
  jobId: randomUUID(),
  serverId: randomUUID(),
  kind: 'install',
  attempt: 1,
  generation: { epoch: 1, number: 1 },
  steps: [],
  percentage: 0,
  result: null,
  ...change,
})

test('the next agent reads each job as it was written last, and none that was removed', async () => {
  const journal = openJournal(folder.path)
  const [kept, gone] = [entry(), entry()]
  await journal.write(kept)
  await journal.write(gone)
  await journal.write({ ...kept, attempt: 2, percentage: 35 })
  await journal.remove(gone.jobId)
  const { entries, unreadable } = await openJournal(folder.path).readAll()
  expect(entries).toEqual([{ ...kept, attempt: 2, percentage: 35 }])
  expect(unreadable).toEqual([])
})

test('what is written at once is written in turn: an adoption in the middle of a step spoils neither', async () => {
  const journal = openJournal(folder.path)
  const one = entry()
  for (let round = 0; round < 5; round += 1) {
    const writes = [1, 2, 3].map((attempt) => journal.write({ ...one, attempt, percentage: round }))
    await Promise.all(writes)
    expect((await journal.readAll()).entries).toEqual([{ ...one, attempt: 3, percentage: round }])
  }
  await Promise.all([journal.write(one), journal.remove(one.jobId)])
  expect(await journal.readAll()).toEqual({ entries: [], unreadable: [] })
})

test('a file that cannot be read is put aside once, and holds up no other', async () => {
  const journal = openJournal(folder.path)
  const good = entry()
  await journal.write(good)
  const torn = join(folder.path, 'jobs')
  writeFileSync(join(torn, 'torn.json'), '{"jobId":')
  writeFileSync(join(torn, 'later.json'), JSON.stringify({ ...entry(), kind: 'teleport' }))
  const first = await journal.readAll()
  expect(first.entries).toEqual([good])
  expect(first.unreadable.toSorted()).toEqual(['later.json', 'torn.json'])
  expect(readdirSync(torn)).toContain('torn.json.unreadable')
  expect(await journal.readAll()).toEqual({ entries: [good], unreadable: [] })
})

test('a file that a crash left half written beside its place is no entry', async () => {
  mkdirSync(join(folder.path, 'jobs'), { recursive: true })
  writeFileSync(join(folder.path, 'jobs', `${randomUUID()}.json.new`), '{')
  expect(await openJournal(folder.path).readAll()).toEqual({ entries: [], unreadable: [] })
})

test('an agent that never ran has no jobs', async () => {
  expect(await openJournal(folder.path).readAll()).toEqual({ entries: [], unreadable: [] })
})

test('of a server the highest generation counts, whatever is ordered late, and a new epoch outranks every number', async () => {
  const serverId = randomUUID()
  const memory = openMemory(folder.path)
  expect(await memory.admit(serverId, { epoch: 1, number: 5 })).toBe(true)
  expect(await memory.admit(serverId, { epoch: 1, number: 5 })).toBe(true)
  expect(await memory.admit(serverId, { epoch: 1, number: 4 })).toBe(false)
  expect(await memory.admit(serverId, { epoch: 2, number: 1 })).toBe(true)
  expect(await openMemory(folder.path).admit(serverId, { epoch: 1, number: 9 })).toBe(false)
  expect(await memory.admit(randomUUID(), { epoch: 1, number: 1 })).toBe(true)
})

test('of a server whose file is damaged nothing is done, and the file is named', async () => {
  const memory = openMemory(folder.path)
  const server = randomUUID()
  await memory.admit(server, { epoch: 1, number: 1 })
  const path = join(folder.path, 'servers', `${server}.json`)
  for (const damaged of ['', '{"highest":']) {
    writeFileSync(path, damaged)
    await expect(memory.admit(server, { epoch: 1, number: 1 })).rejects.toThrow(`${path} is damaged: `)
  }
})

test('a proof and a host key hold for the generation that they were made for alone', async () => {
  const serverId = randomUUID()
  const memory = openMemory(folder.path)
  const [first, second] = [
    { epoch: 1, number: 1 },
    { epoch: 1, number: 2 },
  ]
  await memory.noteHostKey(serverId, first, 'SHA256:first')
  await memory.noteProven(serverId, first)
  await memory.noteHostKey(serverId, second, 'SHA256:second')
  expect(await memory.isProven(serverId, first)).toBe(true)
  expect(await memory.isProven(serverId, second)).toBe(false)
  expect(await memory.hostKeyOf(serverId, second)).toBe('SHA256:second')
  expect(await memory.hostKeyOf(serverId, first)).toBeNull()
})
