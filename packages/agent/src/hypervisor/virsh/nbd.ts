import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import * as text from '@vps/shared/text'
import { execa } from 'execa'
import type { WithTemporaryFolder } from '../../temporary.js'
import { HypervisorError } from '../hypervisor.js'
import { orAborted, pause, until } from '../../wait.js'
import { addExtent, type Extent } from './disk-archive.js'
import { programEnv } from './run.js'
import { takingFrom, type Take } from './taking.js'

/**
 * A disk's bytes at any place, by its own qemu-nbd. Of the NBD protocol (doc/proto.md of the project): fixed newstyle,
 * the default export, simple replies, one request at a time of at most 32 MiB.
 */
export type Nbd = {
  /** What may not be zero, while nobody writes. */
  extents: () => Promise<Extent[]>
  read: (offset: number, length: number) => Promise<Buffer>
  write: (offset: number, bytes: Buffer) => Promise<void>
  /** What was written is on the disk when it returns. */
  flush: () => Promise<void>
}

const startMs = 30_000
const wordsMs = 5000
const commands = { read: 0, write: 1, disconnect: 2, flush: 3 }
const optionMagic = Buffer.from('IHAVEOPT')
const exportName = 1

/** Leaves nothing behind. An aborted signal ends it, and what is under way throws its reason. */
export async function withNbd<T>(
  withTemporaryFolder: WithTemporaryFolder,
  args: readonly string[],
  signal: AbortSignal,
  act: (disk: Nbd) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  return withTemporaryFolder((folder) => withServer(join(folder, 'socket'), args, signal, act))
}

async function withServer<T>(
  path: string,
  args: readonly string[],
  signal: AbortSignal,
  act: (disk: Nbd) => Promise<T>,
): Promise<T> {
  const server = execa('qemu-nbd', ['--shared=2', `--socket=${path}`, ...args], {
    ...programEnv,
    stdin: 'ignore',
    reject: false,
  })
  let socket: Socket | undefined
  const end = () => {
    socket?.destroy()
    server.kill('SIGKILL')
  }
  signal.addEventListener('abort', end)
  const ended = server.then(({ stderr, shortMessage }): never => {
    throw new HypervisorError(`qemu-nbd ${args.join(' ')}: ${(stderr || (shortMessage ?? 'ended')).trim()}`)
  })
  // Who waits is told; nobody does once it ended by itself.
  ended.catch(() => {})
  try {
    const connecting = until(() => connectedTo(path), {
      everyMs: 10,
      limitMs: startMs,
      signal,
      late: () => new HypervisorError(`qemu-nbd ${args.join(' ')}: did not start in time`),
    })
    socket = await Promise.race([connecting, ended])
    const result = await act({ ...(await greet(socket)), extents: () => extentsAt(path, signal) })
    send(socket, 'disconnect', { offset: 0, length: 0 })
    await orAborted(server, signal)
    return result
  } catch (error) {
    signal.throwIfAborted()
    // Its socket is there before its disk is open: the broken line comes before the reason.
    if (socket?.destroyed || socket?.readableEnded) await Promise.race([ended, pause(wordsMs, signal)])
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    end()
    await server
  }
}

function connectedTo(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}

async function greet(socket: Socket): Promise<Omit<Nbd, 'extents'>> {
  socket.on('error', () => {})
  const take = takingFrom(socket)
  const greeting = await take(18)
  if (!greeting.subarray(8, 16).equals(optionMagic)) throw new HypervisorError('qemu-nbd speaks another protocol')
  const chosen = Buffer.alloc(20)
  chosen.writeUInt32BE(3, 0)
  optionMagic.copy(chosen, 4)
  chosen.writeUInt32BE(exportName, 12)
  socket.write(chosen)
  await take(10)
  return {
    async read(offset, length) {
      send(socket, 'read', { offset, length })
      return answer(take, length)
    },
    async write(offset, data) {
      send(socket, 'write', { offset, length: data.length, data })
      await answer(take, 0)
    },
    async flush() {
      send(socket, 'flush', { offset: 0, length: 0 })
      await answer(take, 0)
    },
  }
}

type Request = { offset: number; length: number; data?: Buffer }

function send(socket: Socket, command: keyof typeof commands, { offset, length, data }: Request): void {
  const request = Buffer.alloc(28)
  request.writeUInt32BE(0x25609513, 0)
  request.writeUInt16BE(commands[command], 6)
  request.writeBigUInt64BE(BigInt(offset), 16)
  request.writeUInt32BE(length, 24)
  socket.write(request)
  if (data) socket.write(data)
}

async function answer(take: Take, length: number): Promise<Buffer> {
  const reply = await take(16)
  if (reply.readUInt32BE() !== 0x67446698) throw new HypervisorError('qemu-nbd speaks another protocol')
  const error = reply.readUInt32BE(4)
  // Of the host's storage: what reads and writes the backups has its own words.
  if (error === enospc) throw new HypervisorError('No space left on device', { customer: text.storageFull })
  if (error !== 0) throw new HypervisorError(`qemu-nbd failed at the disk: error ${error}`)
  return take(length)
}

const enospc = 28

/** By libnbd's nbdinfo, a second client. */
async function extentsAt(path: string, signal: AbortSignal): Promise<Extent[]> {
  const asking = execa('nbdinfo', ['--map', `nbd+unix:///?socket=${path}`], {
    ...programEnv,
    cancelSignal: signal,
    timeout: mapMs,
    buffer: { stdout: false },
    stdin: 'ignore',
    reject: false,
  })
  const [extents, { failed, stderr, shortMessage }] = await Promise.all([extentsIn(asking.iterable()), asking])
  signal.throwIfAborted()
  if (failed) throw new HypervisorError(`nbdinfo --map: ${(stderr || (shortMessage ?? 'failed')).trim()}`)
  return extents
}

/** Of a disk in a million pieces nbdinfo prints more than is held at once. */
async function extentsIn(lines: AsyncIterable<string>): Promise<Extent[]> {
  const extents: Extent[] = []
  for await (const line of lines) {
    const [offset, length, type] = line.trim().split(/\s+/)
    // 3: a hole that reads as zeroes; 2: zeroes.
    if (Number(type) < zero) addExtent(extents, { offset: Number(offset), length: Number(length) })
  }
  return extents
}

const mapMs = 10 * 60_000
const zero = 2
