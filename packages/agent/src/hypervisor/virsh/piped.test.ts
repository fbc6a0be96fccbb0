import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { drain, feed, patienceMs } from './piped.js'

const moving = {
  signal: new AbortController().signal,
  tell: async () => {},
  totalBytes: 1,
  file: join(tmpdir(), 'disk'),
}
const shell = (script: string) => ({ program: 'sh', args: ['-c', script] })

test('a program that was killed, as where memory is short, has not given all: what came of it is not taken for whole', async () => {
  let came = 0
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) came += chunk.length
  }
  await expect(drain(shell('echo half; kill -9 $$'), sink, moving)).rejects.toThrow('SIGKILL')
  expect(came).toBe(5)
})

test('what comes before it is read waits for its reader: a slow start had lost the beginning of a disk', async () => {
  const heard: Buffer[] = []
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    await setTimeout(300)
    for await (const chunk of chunks) heard.push(chunk)
  }
  await drain(shell('echo first; sleep 0.6; echo last'), sink, { ...moving, totalBytes: 11 })
  expect(Buffer.concat(heard).toString()).toBe('first\nlast\n')
})

test('less or more than there is to move is never taken for all', async () => {
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) void chunk
  }
  for (const totalBytes of [4, 6])
    await expect(drain(shell('echo half'), sink, { ...moving, totalBytes })).rejects.toThrow(
      `5 bytes came instead of ${totalBytes}`,
    )
})

test('who breaks off in the middle of it is told by its own words', async () => {
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) throw new Error(`no room for ${chunk.length} bytes`)
  }
  await expect(drain(shell('echo half; exec sleep 60'), sink, moving)).rejects.toThrow('no room for 5 bytes')
})

test('nor has it taken all that it was given', async () => {
  async function* source() {
    yield Buffer.from('all')
  }
  await expect(feed(source, shell('cat > /dev/null; echo half; kill -9 $$'), moving)).rejects.toThrow('SIGKILL')
})

test('what it tells of its way for hours does not end it: its last line is what counts', async () => {
  async function* source() {
    yield Buffer.from('all')
  }
  const program = shell('cat > /dev/null; yes on its way | head -c 20000000; echo; echo done')
  expect(await feed(source, program, moving)).toBe('done')
})

test('one that was killed while it read is told as killed, not as a broken pipe', async () => {
  async function* source() {
    for (;;) yield Buffer.alloc(64 * 1024)
  }
  for (let n = 0; n < 10; n += 1)
    await expect(feed(source, shell('head -c 9 > /dev/null; kill -9 $$'), moving)).rejects.toThrow('SIGKILL')
})

test('one that fails early is told by its own words', async () => {
  async function* source() {
    for (let at = 0; at < 1000; at += 1) yield Buffer.alloc(64 * 1024)
  }
  await expect(feed(source, shell('echo no room >&2; exit 1'), moving)).rejects.toThrow('no room')
})

test('one whose source breaks off is ended, and told by what broke it', async () => {
  async function* source() {
    yield Buffer.from('half')
    throw new Error('the disk is gone')
  }
  await expect(feed(source, shell('cat > /dev/null; sleep 60'), moving)).rejects.toThrow('the disk is gone')
})

test('one that takes nothing for too long is away, but not one that may send only slowly what it has taken in', async () => {
  async function* source() {
    for (;;) yield Buffer.alloc(64 * 1024)
  }
  const silent = feed(source, shell('exec sleep 60'), { ...moving, stallMs: 100 })
  await expect(silent).rejects.toThrow('no byte has moved')
  const [takenInKib, limitKib] = [66 * 1024, 50]
  expect(patienceMs(limitKib)).toBeGreaterThan((2 * takenInKib * 1000) / limitKib)
  expect(patienceMs(0)).toBe(600_000)
})
