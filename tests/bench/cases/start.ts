import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../../scripts/postgres.js'
import { startProduct, wholeDemo } from '../../setup/product.js'
import { cpuMsOf, memoryOf } from '../world/program.js'
import { costRow, median, type Row } from '../world/row.js'
import { startApi, startBare, type World } from '../world/world.js'
import type { Length } from './turns.js'

/** To be ready, and to be idle. */
export async function start(world: World, { rounds }: Length): Promise<Row[]> {
  const alone: { api: number; bare: number; apiMb: number; bareMb: number }[] = []
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bench-start-'))
  for (let round = 0; round < rounds; round++) {
    const bare = await startBare(world.applicationUrl)
    const bareCpu = cpuMsOf(bare.pid)
    const api = await startApi(world.applicationUrl, dir)
    const apiCpu = cpuMsOf(api.pid)
    await pause(3_000)
    alone.push({ bare: bareCpu, api: apiCpu, apiMb: memoryOf(api.pid) / 2 ** 20, bareMb: memoryOf(bare.pid) / 2 ** 20 })
    await Promise.all([bare.stop(), api.stop()])
  }
  fs.rmSync(dir, { recursive: true, force: true })
  const of = (figure: keyof (typeof alone)[number]) => median(alone.map((one) => one[figure]))
  const warm = await warmStarts(world, rounds)
  return [
    costRow('CPU of a start of the API alone', 'bare Fastify + pg', 'ms', 3, of('bare'), of('api')),
    costRow('memory of the idle API', 'bare Fastify + pg', 'MB', 1.3, of('bareMb'), of('apiMb')),
    costRow('CPU of a warm npm start, ready', 'PostgreSQL + bare Fastify', 'ms', 3, warm.floor, warm.product),
  ]
}

/** Folders that were started before; in turns. */
async function warmStarts(world: World, rounds: number): Promise<{ floor: number; product: number }> {
  const bareDir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-bench-pg-'))
  fs.chmodSync(bareDir, 0o711)
  await (await startPostgres({ dir: bareDir })).stop()
  const first = await startProduct({ env: wholeDemo })
  await first.stop()
  const floors: number[] = []
  const products: number[] = []
  for (let round = 0; round < rounds; round++) {
    floors.push(await bareStartCpu(world, bareDir))
    products.push(await warmStartCpu(first.dataDir))
  }
  for (const dir of [bareDir, first.dataDir]) fs.rmSync(dir, { recursive: true, force: true })
  return { floor: median(floors), product: median(products) }
}

async function warmStartCpu(dataDir: string): Promise<number> {
  const product = await startProduct({ dataDir, env: wholeDemo })
  const cpu = cpuMsOf(product.pid) + databaseCpu(path.join(dataDir, 'postgres'))
  await product.stop()
  return cpu
}

async function bareStartCpu(world: World, dir: string): Promise<number> {
  const postgres = await startPostgres({ dir })
  const bare = await startBare(world.applicationUrl)
  const cpu = databaseCpu(dir) + cpuMsOf(bare.pid)
  await bare.stop()
  await postgres.stop()
  return cpu
}

/** PostgreSQL is no child of ours. */
function databaseCpu(dir: string): number {
  const file = path.join(dir, 'data', 'postmaster.pid')
  return cpuMsOf(Number(fs.readFileSync(file, 'utf8').split('\n')[0]))
}
