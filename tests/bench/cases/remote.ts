import { once } from 'node:events'
import fs from 'node:fs'
import { connect, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import { createWebSocketStream, WebSocket } from 'ws'
import type { ClaimReply } from '@vps/shared/agent.contract'
import { remotePath, remoteProtocol } from '@vps/shared/remote'
import { collectLog } from '../../../packages/api/src/testing/log.js'
import { openConsoles } from '../../../packages/agent/src/consoles.js'
import { loadOf, openClients, type Load } from '../world/load.js'
import { median, type Row } from '../world/row.js'
import { idOf, tokenOf, type World } from '../world/world.js'
import { callOf } from './agents.js'
import type { Length } from './turns.js'

const host = 2
const serverId = idOf(9, host - 1)
const key = Buffer.alloc(8, 'k')

/** A key's way to a machine and back. */
export async function remote(world: World, { rounds, seconds }: Length): Promise<Row[]> {
  const machine = await openMachine()
  const api = openClients(world.api.url, 2)
  const ending = new AbortController()
  const consoles = openConsoles({
    apiUrl: world.api.url,
    token: () => tokenOf('host', host),
    hypervisor: { openConsole: machine.connect },
    log: collectLog('warn', []),
    signal: ending.signal,
  })
  const claimed = api.read<{ result: { data: ClaimReply } }>(
    0,
    callOf('claim', host, { freeLanes: 0, waitSeconds: 20, running: [] }),
  )
  const body = { serverId, kind: 'screen' }
  const asked = { method: 'POST', path: '/trpc/console.openRemote', token: tokenOf('admin', 1), body } as const
  const { result } = await api.read<{ result: { data: { ticket: string } } }>(1, asked)
  const address = `${world.api.url.replace(/^http/, 'ws')}${remotePath}`
  const socket = new WebSocket(address, [remoteProtocol, result.data.ticket])
  const bytes = createWebSocketStream(socket)
  for (const one of (await claimed).result.data.consoles) await consoles.bring(one)
  const bare = await machine.connect()
  const seen = { floor: [] as number[], own: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    seen.floor.push((await echoes(bare, seconds)).p99Ms)
    seen.own.push((await echoes(bytes, seconds)).p99Ms)
  }
  socket.close()
  bare.destroy()
  ending.abort()
  await api.close()
  machine.close()
  const [floor, own] = [median(seen.floor), median(seen.own)]
  return [
    {
      name: 'remote console: a key there and back, p99',
      floor: "the machine's own unix socket",
      floorFigure: floor,
      product: own,
      unit: 'ms',
      ratio: null,
      goal: '≤ 20 more',
      met: own - floor <= 20,
    },
  ]
}

/** As a key is held, and so below what is cut off as endless (docs/security.md). */
const pauseMs = 5

/** Throws once the console is gone. */
async function echoes(stream: Duplex, seconds: number): Promise<Load> {
  const gone = new AbortController()
  stream.once('close', () => gone.abort())
  const times: number[] = []
  for (const until = performance.now() + seconds * 1000; performance.now() < until;) {
    const from = performance.now()
    const back = once(stream, 'data', { signal: gone.signal })
    stream.write(key)
    await back
    times.push(performance.now() - from)
    await pause(pauseMs)
  }
  return loadOf(times, seconds)
}

async function openMachine() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bench-machine-'))
  const file = path.join(dir, 'vnc.sock')
  const server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(file)
  await once(server, 'listening')
  return {
    async connect(): Promise<Duplex> {
      const socket = connect(file)
      await once(socket, 'connect')
      return socket
    },
    close() {
      server.close()
      fs.rmSync(dir, { recursive: true, force: true })
    },
  }
}
