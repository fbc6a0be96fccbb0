import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { openClients, type Request } from '../world/load.js'
import { memoryOf, type Program } from '../world/program.js'
import { costRow, median, type Row } from '../world/row.js'
import { startApi, startBare, tokenOf, type World } from '../world/world.js'
import { callOf } from './agents.js'
import type { Length } from './turns.js'

const many = 1_000
const warming = 50
const settleMs = 1_500

/**
 * Memory of what only waits, in fresh processes: what was freed before would be used again. Whether V8 has just
 * collected makes a factor of three, so it is measured in rounds.
 */
export async function held(world: World, { rounds }: Length): Promise<Row[]> {
  const poll = (host: number) => callOf('claim', host, { freeLanes: 1, waitSeconds: 25, running: [] })
  const bare = () => ({ method: 'POST' as const, path: '/held', body: {} })
  const polls = await inFresh(world, rounds, async (floor, api) => [await heldKb(floor, bare), await heldKb(api, poll)])
  const sockets = await inFresh(world, rounds, async (floor, api) => [
    await socketKb(floor, false),
    await socketKb(api, true),
  ])
  return [
    costRow('memory of a held poll', 'bare Fastify, a request held', 'kB', 2, ...polls),
    costRow('memory of a WebSocket', 'bare ws', 'kB', 2, ...sockets),
  ]
}

type Measure = (floor: Program, api: Program) => Promise<[number, number]>

async function inFresh(world: World, rounds: number, act: Measure): Promise<[number, number]> {
  const floors: number[] = []
  const own: number[] = []
  for (let round = 0; round < rounds; round++) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bench-held-'))
    const floor = await startBare(world.applicationUrl)
    const api = await startApi(world.applicationUrl, dir)
    try {
      const [one, other] = await act(floor, api)
      floors.push(one)
      own.push(other)
    } finally {
      await Promise.all([floor.stop(), api.stop()])
      fs.rmSync(dir, { recursive: true, force: true })
    }
  }
  return [median(floors), median(own)]
}

async function heldKb(program: Program, of: (n: number) => Request): Promise<number> {
  const first = openClients(program.url, warming)
  const warm = Array.from({ length: warming }, (_, n) => first.send(n, of(n + 1)).catch(() => {}))
  await pause(settleMs)
  const before = memoryOf(program.pid)
  const clients = openClients(program.url, many)
  const waiting = Array.from({ length: many - warming }, (_, n) => clients.send(n, of(n + 1 + warming)).catch(() => {}))
  await pause(settleMs * 2)
  const kb = (memoryOf(program.pid) - before) / (many - warming) / 1024
  await Promise.all([clients.close(), first.close()])
  await Promise.all([...waiting, ...warm])
  return kb
}

async function socketKb(program: Program, signIn: boolean): Promise<number> {
  const first = await openSockets(program, warming, 0, signIn)
  const before = memoryOf(program.pid)
  const sockets = await openSockets(program, many - warming, warming, signIn)
  const kb = (memoryOf(program.pid) - before) / sockets.length / 1024
  for (const socket of [...first, ...sockets]) socket.terminate()
  return kb
}

async function openSockets(program: Program, count: number, from: number, signIn: boolean): Promise<WebSocket[]> {
  const address = `${program.url.replace('http', 'ws')}/trpc?connectionParams=1`
  const sockets: WebSocket[] = []
  for (let n = from; n < from + count; n++) {
    // At most 200 of an address.
    const socket = new WebSocket(address, { localAddress: `127.0.0.${2 + (n % 100)}`, origin: program.url })
    sockets.push(socket)
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('open', resolve).once('error', resolve))
    if (signIn) socket.send(JSON.stringify({ method: 'connectionParams', data: { token: tokenOf('user', 1 + n) } }))
  }
  await pause(settleMs)
  const closed = sockets.filter((socket) => socket.readyState !== WebSocket.OPEN).length
  if (closed > 0) throw new Error(`${closed} of ${count} sockets were closed`)
  return sockets
}
