import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { AgentIdentity } from '@vps/shared/agent.contract'
import { protocolVersion } from '@vps/shared/agent'
import * as z from 'zod'
import type { Api } from './api.js'
import { type Config, ConfigError } from './config.js'
import { readIfThere, writeDurably } from './files.js'
import type { Hypervisor } from './hypervisor/hypervisor.js'

export type Identity = AgentIdentity

/** With its build, so that an operator sees which hosts have another one. */
export async function versionOf(program: string): Promise<string> {
  return `1.0.0+${hashOf(await readFile(program)).slice(0, 7)}`
}

/** The machine, and this very start. The folder must be locked. */
export async function readIdentity(config: Config): Promise<Identity> {
  const instanceId = randomUUID()
  const before = await recordStart(join(config.stateDir, 'starts.json'), instanceId)
  const agentVersion = await versionOf(import.meta.filename)
  return { protocol: protocolVersion, agentVersion, machineId: await readMachineId(config), instanceId, before }
}

const startsKept = 8
const keptStarts = z.object({ bootId: z.string(), instanceIds: z.array(z.uuid()) })

/**
 * Gives surely dead earlier starts, by the lock, of this kernel only: a copied folder tells of starts that may live.
 */
async function recordStart(path: string, instanceId: string): Promise<string[]> {
  const bootId = ((await readIfThere('/proc/sys/kernel/random/boot_id')) ?? '').trim()
  const kept = await readKept(path, keptStarts)
  const before = kept?.bootId === bootId ? kept.instanceIds : []
  // Unwritten, the next start waits until this one is silent.
  await writeDurably(path, JSON.stringify({ bootId, instanceIds: [instanceId, ...before].slice(0, startsKept) })).catch(
    () => {},
  )
  return before
}

/** A simulated host is a machine of its own: a computer may have several. */
async function readMachineId(config: Config): Promise<string> {
  if (config.hypervisor.kind === 'virsh') {
    const system = (await readIfThere('/etc/machine-id'))?.trim()
    if (system && system.length >= 8) return system
  }
  const path = join(config.stateDir, 'machine-id')
  const kept = (await readIfThere(path))?.trim()
  if (kept) return kept
  const made = randomUUID().replaceAll('-', '')
  await writeDurably(path, `${made}\n`)
  return made
}

const keptHost = z.object({
  hostId: z.string(),
  hostName: z.string(),
  hostToken: z.string(),
  /** SHA-256 of the enrolment token: another token enrols anew. */
  enrolledWith: z.string().optional(),
})

/** Configured, kept from an enrolment, or enrolled now. */
export async function hostToken(config: Config, identity: Identity, api: Api, hypervisor: Hypervisor): Promise<string> {
  if (config.hostToken) return config.hostToken
  const path = join(config.stateDir, 'host.json')
  const kept = await readKept(path, keptHost)
  const { enrolmentToken } = config
  const used = enrolmentToken && hashOf(enrolmentToken)
  if (kept && (!used || used === (kept.enrolledWith ?? used))) return kept.hostToken
  if (!enrolmentToken) {
    if ((await readIfThere(path)) !== null)
      throw new ConfigError(
        `${path} is damaged: set ENROLMENT_TOKEN (made on the host screen) to enrol this host anew.`,
      )
    throw new ConfigError(
      'This host is not enrolled yet: set ENROLMENT_TOKEN (made on the host screen) or AGENT_TOKEN.',
    )
  }
  const asking = join(config.stateDir, 'enrolment.json')
  const enrolledWith = hashOf(enrolmentToken)
  const enrolled = await api.enrol.mutate({
    ...identity,
    enrolmentToken,
    hostToken: await proposedToken(asking, enrolledWith),
    hostname: hostname().slice(0, 120),
    capacity: await hypervisor.capacity(),
  })
  await writeDurably(path, JSON.stringify({ ...enrolled, enrolledWith }))
  await rm(asking, { force: true })
  return enrolled.hostToken
}

const keptProposal = z.object({ enrolledWith: z.string(), hostToken: z.string() })

/** The same until an answer came: an enrolment token is good for one host token. */
async function proposedToken(path: string, enrolledWith: string): Promise<string> {
  const kept = await readKept(path, keptProposal)
  if (kept?.enrolledWith === enrolledWith) return kept.hostToken
  const hostToken = randomBytes(32).toString('base64url')
  await writeDurably(path, JSON.stringify({ enrolledWith, hostToken }))
  return hostToken
}

/** Null: not there, or damaged, which a new one mends. */
async function readKept<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readIfThere(path)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function hashOf(given: string | Buffer): string {
  return createHash('sha256').update(given).digest('hex')
}
