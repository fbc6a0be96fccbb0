import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WantedImage } from '@vps/shared/agent.contract'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseNetwork } from '@vps/shared/networks'
import { quickTransfers, temporaryFolder } from '../testing/agent.js'
import { ImageSource } from '../testing/image-source.js'
import { openImageFolder } from './folder.js'
import { transferLoop, type TransferLimits } from './transfers.js'

const file = 'debian-13.qcow2'
let folder: ReturnType<typeof temporaryFolder>
let dir: string
let source: ImageSource
let running: { stop: () => Promise<void> }[]
let logged: string

beforeEach(async () => {
  folder = temporaryFolder()
  dir = join(folder.path, 'images')
  source = new ImageSource()
  await source.listen()
  running = []
  logged = ''
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  await source.close()
  folder.remove()
})

function start(
  wanted: WantedImage[] | null,
  change: Partial<TransferLimits> = {},
  disk: { freeBytes?: () => Promise<number> } = {},
) {
  const ending = new AbortController()
  const images = { ...openImageFolder(dir), ...disk }
  const fatal: unknown[] = []
  const calls = { changed: 0, ready: 0 }
  const loop = transferLoop({
    images,
    limits: { ...quickTransfers, ...change },
    log: pino({ level: 'info' }, { write: (line: string) => (logged += line) }),
    signal: ending.signal,
    onFatal: (error) => fatal.push(error),
    onChange: () => (calls.changed += 1),
    onReady: () => (calls.ready += 1),
  })
  if (wanted) loop.want(wanted)
  const stop = async () => {
    ending.abort()
    await loop.ended
    expect(fatal).toEqual([])
  }
  running.push({ stop })
  return { ...loop, images, calls, stop }
}

const inFolder = () => readdirSync(dir).toSorted()
const partBytes = () => statSync(join(dir, `${file}.part`), { throwIfNoEntry: false })?.size ?? 0
const settled = async (loop: ReturnType<typeof start>) => {
  await expect.poll(() => loop.state()).toEqual([])
}
const failed = async (loop: ReturnType<typeof start>, error: string | RegExp) => {
  const state = [{ file, status: 'failed', error: expect.stringMatching(error) }]
  await expect.poll(() => loop.state()).toMatchObject(state)
}

test('a missing image is fetched whole, under its name and with its hash known, and nothing else is left', async () => {
  const loop = start([source.image()])
  await settled(loop)
  expect(inFolder()).toEqual([file])
  expect(readFileSync(join(dir, file)).equals(source.content)).toBe(true)
  expect(await loop.images.list()).toEqual([{ file, bytes: source.content.length, sha256: source.sha256 }])
  expect(loop.calls.ready).toBe(1)
  expect(statSync(join(dir, file)).mode & 0o777).toBe(0o644)
})

test('an image that lies there already with the right hash is not fetched', async () => {
  mkdirSync(dir)
  writeFileSync(join(dir, file), source.content)
  // Left by an agent killed just after the rename.
  writeFileSync(join(dir, `${file}.part.json`), '{}')
  const loop = start([source.image()])
  await settled(loop)
  expect(source.asked).toEqual([])
  expect(inFolder()).toEqual([file])
  expect((await loop.images.look(file))?.sha256).toBe(source.sha256)
})

test('a file with another hash is replaced in one step, and what a machine holds of it stays', async () => {
  mkdirSync(dir)
  writeFileSync(join(dir, file), 'an older image')
  const before = statSync(join(dir, file)).ino
  await settled(start([source.image()]))
  expect(statSync(join(dir, file)).ino).not.toBe(before)
  expect(readFileSync(join(dir, file)).equals(source.content)).toBe(true)
})

test('images come one after the other, and one that fails does not hold up the next', async () => {
  const open = new Set<unknown>()
  let most = 0
  source.misbehave = (request, response) => {
    open.add(response)
    most = Math.max(most, open.size)
    response.once('close', () => open.delete(response))
    if (!request.url?.startsWith('/gone')) return false
    response.writeHead(404).end()
    return true
  }
  const names = ['a.qcow2', 'b.qcow2', 'c.qcow2']
  const loop = start([
    source.image({ url: `${source.origin}/gone` }),
    ...names.map((name) => source.image({ file: name })),
  ])
  await expect.poll(() => readdirSync(dir).filter((name) => name.length === 7)).toEqual(names)
  await failed(loop, '下载地址返回状态 404')
  expect(most).toBe(1)
})

test('a transfer that is broken off goes on where it was', async () => {
  source.misbehave = (request, response) => {
    if (source.asked.length > 1) return false
    source.cutOff(request, response, 100_000, () => partBytes() === 100_000)
    return true
  }
  await settled(start([source.image()]))
  expect(source.asked.map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
    [undefined, undefined],
    ['bytes=100000-', '"first"'],
  ])
  expect(readFileSync(join(dir, file)).equals(source.content)).toBe(true)
})

test('what a stopped agent has fetched is continued by its next start', async () => {
  source.misbehave = (request, response) => (source.serve(request, response, 100_000), true)
  const first = start([source.image()])
  await expect.poll(() => partBytes()).toBe(100_000)
  await first.stop()
  source.misbehave = () => false
  const before = source.asked.length
  await settled(start([source.image()]))
  expect(source.asked.slice(before).map(({ headers }) => headers.range)).toEqual(['bytes=100000-'])
  expect(inFolder()).toEqual([file])
})

test.each([
  ['has another state by now', {}, { etag: '"second"' }],
  ['knows no ranges', {}, { ranges: false }],
  ['does not say which state it has', { etag: null }, {}],
])('a source that %s is read from the beginning', async (_name, atFirst, later) => {
  Object.assign(source, atFirst)
  source.misbehave = (request, response) => (source.serve(request, response, 100_000), true)
  const first = start([source.image()])
  await expect.poll(() => partBytes()).toBe(100_000)
  await first.stop()
  Object.assign(source, later, { misbehave: () => false })
  await settled(start([source.image()]))
  expect(readFileSync(join(dir, file)).equals(source.content)).toBe(true)
})

test('a part that was whole when the agent died is only checked and takes its name', async () => {
  mkdirSync(dir)
  writeFileSync(join(dir, `${file}.part`), source.content)
  const note = { sha256: source.sha256, validator: '"first"', totalBytes: source.content.length }
  writeFileSync(join(dir, `${file}.part.json`), JSON.stringify(note))
  await settled(start([source.image()]))
  expect(source.asked).toEqual([])
  expect(inFolder()).toEqual([file])
})

test('a part whose source became shorter is thrown away and fetched anew', async () => {
  mkdirSync(dir)
  writeFileSync(join(dir, `${file}.part`), Buffer.alloc(400_000))
  const note = { sha256: source.sha256, validator: '"first"', totalBytes: 500_000 }
  writeFileSync(join(dir, `${file}.part.json`), JSON.stringify(note))
  source.misbehave = (request, response) => {
    if (!request.headers.range) return false
    response.writeHead(416, { 'content-range': `bytes */${source.content.length}` }).end()
    return true
  }
  await settled(start([source.image()]))
  expect(readFileSync(join(dir, file)).equals(source.content)).toBe(true)
})

test('another content than the checksum says is deleted, told, and tried again until it is right', async () => {
  const right = source.content
  const wanted = source.image()
  source.content = Buffer.from('something else')
  const loop = start([wanted])
  await failed(loop, /^校验和不一致：应为 [0-9a-f]{12}…，实际为 [0-9a-f]{12}…$/)
  expect(inFolder()).toEqual([])
  expect(loop.calls.ready).toBe(0)
  Object.assign(source, { content: right, etag: '"second"' })
  await settled(loop)
  expect(readFileSync(join(dir, file)).equals(right)).toBe(true)
})

test('a failure is tried again after pauses that grow, and not forever longer', async () => {
  const at: number[] = []
  source.misbehave = (_request, response) => {
    at.push(performance.now())
    response.writeHead(503).end()
    return true
  }
  start([source.image()], { firstPauseMs: 40, lastPauseMs: 160 })
  await expect.poll(() => at.length).toBeGreaterThan(6)
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  expect(pauses[0]).toBeGreaterThanOrEqual(20)
  for (const pause of pauses.slice(3)) expect(pause).toBeGreaterThanOrEqual(80)
})

test('a truncated reply is a failure with its part kept, never an image', async () => {
  source.misbehave = (request, response) => {
    source.cutOff(request, response, 50_000, () => partBytes() === 50_000)
    return true
  }
  const loop = start([source.image()], { firstPauseMs: 60_000, lastPauseMs: 60_000 })
  await failed(loop, '下载中断：连接被关闭')
  expect(await loop.images.list()).toEqual([])
  expect(partBytes()).toBe(50_000)
})

test('a transfer without a byte for the limit is broken off', async () => {
  source.misbehave = (request, response) => (source.serve(request, response, 100_000), true)
  const loop = start([source.image()], { stallMs: 2_500, firstPauseMs: 60_000, lastPauseMs: 60_000 })
  await failed(loop, '2.5 秒内没有收到数据')
  expect(partBytes()).toBe(100_000)
})

test('a source that never answers is broken off too', async () => {
  source.misbehave = () => true
  const loop = start([source.image()], { stallMs: 2_500, firstPauseMs: 60_000, lastPauseMs: 60_000 })
  await failed(loop, '2.5 秒内没有收到数据')
  expect(source.asked).toHaveLength(1)
})

test('a trickle that outlives the whole limit makes way for the next image and keeps what it has', async () => {
  source.misbehave = (request, response) => {
    if (!request.url?.startsWith('/debian')) return false
    response.writeHead(200, { 'content-length': source.content.length, etag: '"first"' })
    const timer = setInterval(() => response.write(Buffer.alloc(10)), 20)
    response.once('close', () => clearInterval(timer))
    return true
  }
  const next = source.image({ file: 'next.qcow2', url: `${source.origin}/next` })
  const loop = start([source.image(), next], { wholeMs: 5_000, firstPauseMs: 60_000, lastPauseMs: 60_000 })
  await failed(loop, '小时内没有下载完')
  expect(partBytes()).toBeGreaterThan(0)
  expect(readdirSync(dir)).toContain('next.qcow2')
})

test('redirects are followed a few times, relative ones too, and the password stays with its host', async () => {
  const other = new ImageSource()
  Object.assign(other, { content: source.content })
  await other.listen()
  source.misbehave = ({ url }, response) => {
    const hops: Record<string, string> = { '/a': '/b', '/b': `${other.origin}/c` }
    const to = hops[url ?? '']
    if (to) response.writeHead(302, { location: to }).end()
    return to !== undefined
  }
  const address = new URL(`${source.origin}/a`)
  Object.assign(address, { username: 'mirror', password: 'ge heim' })
  await settled(start([source.image({ url: address.href })]))
  const login = `Basic ${Buffer.from('mirror:ge heim').toString('base64')}`
  expect(source.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/a', login],
    ['/b', login],
  ])
  expect(other.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/c', undefined]])
  await other.close()
})

test.each([
  ['an endless one', '/debian.qcow2', '下载地址重定向超过 5 次'],
  ['one to a file of the host', 'file:///etc/passwd', '下载地址被重定向到不支持的协议'],
  ['one to data', 'data:text/plain,hello', '下载地址被重定向到不支持的协议'],
])('%s is not followed', async (_name, location, sentence) => {
  source.misbehave = (_request, response) => (response.writeHead(302, { location }).end(), true)
  await failed(start([source.image()], { firstPauseMs: 60_000, lastPauseMs: 60_000 }), sentence)
  expect(source.asked.length).toBe(location.startsWith('/') ? 6 : 1)
})

test.each([
  ['an address of this machine', () => source.origin],
  ['a name that resolves to this machine', () => source.origin.replace('127.0.0.1', 'localhost')],
  ['a mapped address of this machine', () => source.origin.replace('127.0.0.1', '[::ffff:127.0.0.1]')],
])('%s is not asked unless its network is allowed', async (_name, origin) => {
  const image = source.image({ url: `${origin()}/debian.qcow2` })
  await failed(start([image], { allowed: [], firstPauseMs: 60_000 }), '下载地址指向内部网络，未被允许')
  expect(source.asked).toEqual([])
})

test('a redirect to the inside of a network is not followed', async () => {
  const location = source.origin.replace('127.0.0.1', '127.0.0.2')
  source.misbehave = (_request, response) => (response.writeHead(302, { location }).end(), true)
  const allowed = [parseNetwork('127.0.0.1')!]
  await failed(
    start([source.image()], { allowed, firstPauseMs: 60_000, lastPauseMs: 60_000 }),
    '下载地址指向内部网络，未被允许',
  )
  expect(source.asked).toHaveLength(1)
})

test('an image that does not fit is refused before its first byte, and one of unknown size at the limit', async () => {
  const free = await openImageFolder(folder.path).freeBytes()
  const loop = start([source.image()], { spareBytes: free * 2, firstPauseMs: 60_000, lastPauseMs: 60_000 })
  await failed(loop, /^磁盘空间不足：还需 \d+\.\d GB，可用 0\.0 GB$/)
  expect(partBytes()).toBe(0)
  await loop.stop()
  source.misbehave = (_request, response) => (response.writeHead(200).end(source.content), true)
  await failed(start([source.image()], { spareBytes: free * 2 }), /^磁盘空间不足/)
  expect(partBytes()).toBeLessThan(source.content.length)
})

/** Comes in small pieces, without end unless it is whole. */
function drip(headers: object = {}): void {
  source.misbehave = (_request, response) => {
    response.writeHead(200, { etag: '"first"', ...headers })
    const timer = setInterval(() => response.write(source.content.subarray(0, 5000)), 5)
    response.once('close', () => clearInterval(timer))
    return true
  }
}

test('what others write while an image comes in counts: at the limit it is broken off, and its room is given back', async () => {
  let free = 10 ** 9
  drip({ 'content-length': 10 ** 8 })
  const pauses = { firstPauseMs: 60_000, lastPauseMs: 60_000 }
  const loop = start([source.image()], { spareBytes: 1, ...pauses }, { freeBytes: async () => free })
  await expect.poll(() => partBytes()).toBeGreaterThan(0)
  free = 0
  await failed(loop, /^磁盘空间不足/)
  expect(inFolder()).toEqual([])
})

test('a source without an end takes the room that there is, and what came of it is not left lying there', async () => {
  drip()
  const pauses = { firstPauseMs: 60_000, lastPauseMs: 60_000 }
  const loop = start([source.image()], { spareBytes: 1, ...pauses }, { freeBytes: async () => 50_000 })
  await failed(loop, /^磁盘空间不足/)
  expect(inFolder()).toEqual([])
})

test('a packed reply is refused: its checksum would be that of something else', async () => {
  source.misbehave = (_request, response) => (response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'), true)
  await failed(start([source.image()]), '下载源压缩了内容，无法核对')
  expect(source.asked[0]?.headers['accept-encoding']).toBe('identity')
})

test('an image that is no longer wanted is broken off and leaves nothing; one wanted otherwise begins anew', async () => {
  source.misbehave = (request, response) => {
    if (request.url === '/new') return false
    source.serve(request, response, 100_000)
    return true
  }
  const loop = start([source.image()])
  await expect.poll(() => partBytes()).toBe(100_000)
  loop.want([])
  await expect.poll(() => inFolder()).toEqual([])
  loop.want([source.image({ url: `${source.origin}/old` })])
  await expect.poll(() => partBytes()).toBe(100_000)
  loop.want([source.image({ url: `${source.origin}/new` })])
  await settled(loop)
  expect(inFolder()).toEqual([file])
})

test('before the API has spoken nothing is thrown away, and a part that somebody copies by hand never is', async () => {
  mkdirSync(dir)
  const there = ['mine.part', 'old.qcow2.part', 'old.qcow2.part.json']
  for (const name of there) writeFileSync(join(dir, name), '{}')
  await start(null).stop()
  expect(inFolder()).toEqual(there)
  start([source.image()])
  await expect.poll(() => inFolder()).toEqual([file, 'mine.part'])
})

test('an image that is taken away by hand comes back at the next word of the API', async () => {
  const loop = start([source.image()])
  await settled(loop)
  writeFileSync(join(dir, file), 'something else')
  loop.want([source.image()])
  await expect.poll(() => readFileSync(join(dir, file)).equals(source.content)).toBe(true)
})

test('progress is told while it runs, and nothing that may be secret in an address is logged', async () => {
  source.misbehave = (request, response) => (source.serve(request, response, 100_000), true)
  const secret = source.image().url.replace('http://', 'http://user:hidden@')
  const loop = start([source.image({ url: secret })], { stallMs: 2000 })
  await expect.poll(() => loop.state()).toMatchObject([{ status: 'running', bytes: 100_000, totalBytes: 300_000 }])
  expect(loop.calls.changed).toBeGreaterThan(0)
  await failed(loop, '秒内没有收到数据')
  expect(logged).toContain('/debian.qcow2?…')
  expect(logged + JSON.stringify(loop.state())).not.toMatch(/geheim|hidden|user/)
})

test('a stream of small pieces is told now and then, not piece by piece', async () => {
  source.misbehave = (_request, response) => {
    response.writeHead(200, { 'content-length': source.content.length, etag: '"first"' })
    let sent = 0
    const timer = setInterval(() => {
      response.write(source.content.subarray(sent, sent + 10_000))
      sent += 10_000
      if (sent >= source.content.length) response.end()
    }, 10)
    response.once('close', () => clearInterval(timer))
    return true
  }
  const loop = start([source.image()], { tellEveryMs: 60_000 })
  await settled(loop)
  expect(loop.calls.changed).toBe(2)
})
