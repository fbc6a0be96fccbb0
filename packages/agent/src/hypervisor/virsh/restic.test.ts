import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import type { BackupRepository } from '@vps/shared/agent.contract'
import { repositoryProblemIn } from '@vps/shared/backups'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lacksObjectStores, type ObjectStore, startRestServer, startSwift } from '../../testing/object-stores.js'
import { openRestic, tryOut } from './restic.js'

/** With object stores' servers; folders and SFTP are in tests/vm/backups.vm.test.ts. */

if (lacksObjectStores && process.env['CI']) throw new Error(lacksObjectStores)

const mib = 1024 * 1024
const whole = { part: 1, parts: 1 }
const never = new AbortController().signal
/** restic and Swift each take seconds of a processor, many times. */
const patient = 400_000
const folder = mkdtempSync(path.join(tmpdir(), 'vps-restic-'))
const [disk, back] = [path.join(folder, 'disk'), path.join(folder, 'back')]
writeFileSync(disk, Buffer.concat([randomBytes(6 * mib), Buffer.alloc(20 * mib), randomBytes(6 * mib + 1)]))
const bytes = 32 * mib + 1
const moving = { signal: never, tell: async () => {}, totalBytes: bytes, file: disk }
const reading = () => createReadStream(disk)
const writing = (chunks: AsyncIterable<Buffer>) => pipeline(chunks, createWriteStream(back))

beforeEach(({ skip }) => {
  if (lacksObjectStores) skip(lacksObjectStores)
})
afterAll(() => rmSync(folder, { recursive: true }))

async function told(at: BackupRepository): Promise<string> {
  const said = await tryOut(at, never).then(() => null, String)
  const { AWS_SECRET_ACCESS_KEY: key } = at.environment
  for (const secret of [at.password, key, 'p@ss', 'p%40ss']) expect(said ?? '').not.toContain(secret ?? at.password)
  return said === null ? 'works' : repositoryProblemIn(said)
}

async function withGone(start: () => Promise<ObjectStore>, act: (gone: BackupRepository) => Promise<void>) {
  const { at, stop } = await start()
  await stop()
  await act(at)
}

describe.each([
  ['an S3 store', startSwift],
  ['a REST server', startRestServer],
] as const)('at %s', (_, start) => {
  let store: ObjectStore
  beforeAll(async () => {
    if (!lacksObjectStores) store = await start()
  })
  afterAll(() => store?.stop())

  test(
    'a disk is kept, listed, checked and comes back byte by byte; what is forgotten leaves nothing',
    async () => {
      const [serverId, first, second] = [randomUUID(), randomUUID(), randomUUID()]
      const restic = openRestic(store.at, serverId)
      await restic.openOrMake()
      expect(await restic.keep(first, bytes, reading, moving)).toBeGreaterThan(12 * mib)
      await restic.openOrMake()
      expect(await restic.keep(second, bytes, reading, moving)).toBeLessThan(mib)
      const kept = await restic.list()
      expect(kept.map(({ tags }) => tags)).toEqual([[first], [second]])
      const there = await restic.diskOf(kept[1]!)
      expect(there).toEqual({ path: `/disk.${bytes}.tar`, bytes, keptBytes: bytes, isWhole: false })
      await restic.giveRoomBack([kept[0]!.id], never)
      expect(await restic.damage(whole, never)).toBeNull()
      for (const isShared of [false, true]) {
        await restic.bring(kept[1]!, there, writing, { ...moving, isShared })
        expect(readFileSync(back).equals(readFileSync(disk))).toBe(true)
      }
      await restic.giveRoomBack([kept[1]!.id], never)
      expect(await restic.list()).toEqual([])
      for (const kind of ['packs', 'locks'])
        expect(
          spawnSync('restic', ['--no-cache', '--no-lock', 'list', kind], byHand(store.at, serverId)),
        ).toMatchObject({
          status: 0,
          stdout: '',
        })
    },
    patient,
  )

  test(
    'each way of failing is told from the others, without a secret',
    async () => {
      expect(await told(store.at)).toBe('works')
      expect(await told(store.at)).toBe('works')
      expect(await told({ ...store.at, password: 'Of-Nobody-1' })).toBe('password')
      for (const stranger of store.strangers) expect(await told(stranger)).toBe('login')
      expect(await told(store.reader)).toBe('permission')
      expect(await told({ ...store.at, environment: { ...store.at.environment, SSL_CERT_FILE: '' } })).toBe(
        'unreachable',
      )
      await withGone(start, async (gone) => expect(await told(gone)).toBe('unreachable'))
    },
    patient,
  )

  test('one that is gone is told in words, and no damage', async () => {
    await withGone(start, async (gone) => {
      const restic = openRestic(gone, randomUUID())
      await expect(restic.list()).rejects.toThrow('connection refused')
      await expect(restic.openOrMake()).rejects.toThrow('connection refused')
    })
  })
})

const byHand = ({ url, password, environment }: BackupRepository, serverId: string) => ({
  encoding: 'utf8' as const,
  env: { ...process.env, ...environment, RESTIC_REPOSITORY: `${url}/${serverId}`, RESTIC_PASSWORD: password },
})

describe('at an S3 store', () => {
  test('a bucket that is not there is a wrong address, and no damage', async () => {
    const { at, stop } = await startSwift()
    try {
      const said = await openRestic(at, randomUUID())
        .list()
        .then(() => '', String)
      expect(said).toContain('The specified bucket does not exist')
      expect(repositoryProblemIn(said)).toBe('unreachable')
    } finally {
      await stop()
    }
  })
})

describe('at a REST server', () => {
  let server: Awaited<ReturnType<typeof startRestServer>>
  beforeAll(async () => {
    if (!lacksObjectStores) server = await startRestServer()
  })
  afterAll(() => server?.stop())

  test(
    'one that is away for a moment while a disk is kept costs nothing: all of it comes back',
    async () => {
      const restic = openRestic(server.at, randomUUID())
      const id = randomUUID()
      await restic.openOrMake()
      const other = path.join(folder, 'other')
      writeFileSync(other, randomBytes(40 * mib))
      async function* slowly() {
        yield* createReadStream(disk)
        await setTimeout(3000)
        yield* createReadStream(other)
        await setTimeout(3000)
        yield* createReadStream(disk)
      }
      const acts = [server.leave, server.comeBack]
      await restic.keep(id, bytes, slowly, { ...moving, tell: async () => acts.shift()?.() })
      expect(acts).toEqual([])
      const [kept] = await restic.list()
      await restic.bring(kept!, await restic.diskOf(kept!), writing, { ...moving, isShared: false })
      expect(readFileSync(back).equals(Buffer.concat([disk, other, disk].map((file) => readFileSync(file))))).toBe(true)
    },
    patient,
  )

  test(
    'what has changed there is damage, and a server without TLS a wrong address',
    async () => {
      const [serverId, id] = [randomUUID(), randomUUID()]
      const restic = openRestic(server.at, serverId)
      await restic.openOrMake()
      await restic.keep(id, bytes, reading, moving)
      const packs = path.join(server.kept, 'vps', serverId, 'data')
      const [pack] = readdirSync(packs, { encoding: 'utf8', recursive: true }).filter((name) => name.length > 64)
      const changed = readFileSync(path.join(packs, pack!)).fill('damaged', 0, 7)
      writeFileSync(path.join(packs, pack!), changed)
      expect(await restic.damage(whole, never)).toMatch(/does not match|verification failed/)
      const plain = createServer((_, reply) => void reply.end()).listen(0, '127.0.0.1')
      await once(plain, 'listening')
      const { port } = plain.address() as AddressInfo
      expect(await told({ ...server.at, url: `rest:https://127.0.0.1:${port}/` })).toBe('unreachable')
      plain.close()
    },
    patient,
  )
})
