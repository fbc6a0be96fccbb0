import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { root } from '../../../scripts/run-command.js'
import { freePort } from '../../setup/free-port.js'

export type Program = { pid: number; url: string; stop(): Promise<void> }

/** In its own process, ready when `ready` answers. */
export async function startProgram(
  args: readonly string[],
  env: Record<string, string>,
  ready: string,
): Promise<Program> {
  const port = await freePort()
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], HOST: '127.0.0.1', PORT: String(port), ...env },
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(child, url + ready)
  return {
    pid: child.pid ?? 0,
    url,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilReady(child: ChildProcess, address: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before it was ready`)
    if ((await fetch(address).catch(() => null))?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`${address} was not ready in a minute`)
}

const ticksPerSecond = 100

/** With all children, ended ones too, in milliseconds (proc(5)). */
export function cpuMsOf(pid: number): number {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  for (const name of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const fields = statOf(Number(name))
    if (!fields) continue
    children.set(fields.parent, [...(children.get(fields.parent) ?? []), Number(name)])
    ticks.set(Number(name), fields.ticks)
  }
  const sum = (one: number): number =>
    (ticks.get(one) ?? 0) + (children.get(one) ?? []).reduce((total, child) => total + sum(child), 0)
  return (sum(pid) / ticksPerSecond) * 1000
}

function statOf(pid: number): { parent: number; ticks: number } | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number]
    return { parent: Number(fields[1]), ticks: user + system + endedUser + endedSystem }
  } catch {
    return null // ended meanwhile
  }
}

/** Resident, in bytes. */
export function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
