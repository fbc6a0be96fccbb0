import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { generation } from '@vps/shared/jobs.contract'
import { readinessKinds } from '@vps/shared/jobs'
import * as z from 'zod'

/** In a file, so that it outlives the agent as libvirt's domains do. */
const simulatedState = z.object({
  domains: z.record(
    z.string(),
    z.object({
      generation,
      cpuCores: z.number(),
      memoryMb: z.number(),
      bandwidthMbps: z.number().optional(),
      mac: z.string(),
      addresses: z.array(z.string()).default([]),
      outsidePorts: z.array(z.string()).default([]),
      access: z.object({
        address: z.string(),
        port: z.number(),
        username: z.string(),
        readiness: z.enum(readinessKinds),
      }),
      on: z.boolean(),
      autostart: z.boolean(),
      startedAtMs: z.number().nullable(),
      /** Asked to shut down: off from then on. */
      offAtMs: z.number().nullable(),
      revertedBy: z.string().optional(),
      rescueId: z.string().optional(),
      iso: z.object({ id: z.string(), boots: z.boolean() }).optional(),
      /** The disc was to boot at the last start. */
      runsIso: z.boolean().optional(),
    }),
  ),
  disks: z.array(
    z.object({
      serverId: z.string(),
      generation,
      diskGb: z.number(),
      /** crypt(3), inside the guest; null before the first boot read a seed. */
      passwordHash: z.string().nullable(),
      addresses: z.array(z.string()).default([]),
      hostKey: z.string().nullish(),
      snapshots: z.array(z.object({ id: z.string(), passwordHash: z.string().nullable() })).default([]),
    }),
  ),
  seeds: z.array(
    z.object({ serverId: z.string(), generation, passwordHash: z.string(), hostKey: z.string().optional() }),
  ),
  rescues: z
    .array(z.object({ serverId: z.string(), id: z.string(), passwordHash: z.string(), hostKey: z.string() }))
    .default([]),
  firewalls: z.record(z.string(), z.number()).default({}),
  debris: z.array(z.object({ serverId: z.string(), name: z.string() })),
})
export type SimulatedState = z.infer<typeof simulatedState>
export type SimulatedDomain = SimulatedState['domains'][string]

const seededServers = z.array(
  z.object({
    serverId: z.uuid(),
    power: z.enum(['on', 'off']),
    cpuCores: z.number(),
    memoryMb: z.number(),
    diskGb: z.number(),
    mac: z.string(),
    address: z.string(),
    sshPort: z.number().default(22),
    generation: generation.default({ epoch: 1, number: 1 }),
  }),
)

/** The state, or the first one from the optional seed file. */
export function readState(path: string, seedFile: string | null, nowMs: number): SimulatedState {
  if (existsSync(path)) return simulatedState.parse(JSON.parse(readFileSync(path, 'utf8')))
  const state: SimulatedState = {
    domains: {},
    disks: [],
    seeds: [],
    rescues: [],
    firewalls: {},
    debris: [],
  }
  if (!seedFile || !existsSync(seedFile)) return state
  for (const server of seededServers.parse(JSON.parse(readFileSync(seedFile, 'utf8')))) {
    const on = server.power === 'on'
    state.domains[server.serverId] = {
      generation: server.generation,
      cpuCores: server.cpuCores,
      memoryMb: server.memoryMb,
      mac: server.mac,
      addresses: [server.address],
      outsidePorts: [],
      access: { address: server.address, port: server.sshPort, username: 'root', readiness: 'ssh' },
      on,
      autostart: on,
      startedAtMs: on ? nowMs : null,
      offAtMs: null,
    }
    state.disks.push({
      serverId: server.serverId,
      generation: server.generation,
      diskGb: server.diskGb,
      passwordHash: null,
      addresses: [],
      snapshots: [],
    })
  }
  return state
}

export const writeState: (path: string, state: SimulatedState) => void = writeWhole

/** A killed agent leaves the old or the new. */
export function writeWhole(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** A shutdown asked for takes effect by itself. */
export function isOn(domain: SimulatedDomain, nowMs: number): boolean {
  return domain.on && (domain.offAtMs === null || nowMs < domain.offAtMs)
}
