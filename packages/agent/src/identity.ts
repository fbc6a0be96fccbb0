import { createHash, randomUUID } from 'node:crypto'
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

export const agentVersion = '1.0.0'

/** Who this agent is: the machine it runs on, and this very start of it. The folder must be locked. */
export async function readIdentity(config: Config): Promise<Identity> {
  const instanceId = randomUUID()
  const before = await recordStart(join(config.stateDir, 'starts.json'), instanceId)
  return { protocol: protocolVersion, agentVersion, machineId: await readMachineId(config), instanceId, before }
}

const startsKept = 8
const keptStarts = z.object({ bootId: z.string(), instanceIds: z.array(z.uuid()) })

/**
 * Writes this start down and gives those before it that are dead for sure. The lock says that of this kernel's only: a
 * folder that was copied to another machine tells of starts that may be alive.
 */
async function recordStart(path: string, instanceId: string): Promise<string[]> {
  const bootId = ((await readIfThere('/proc/sys/kernel/random/boot_id')) ?? '').trim()
  const text = await readIfThere(path)
  const kept = text === null ? null : keptStarts.parse(JSON.parse(text))
  const before = kept?.bootId === bootId ? kept.instanceIds : []
  await writeDurably(path, JSON.stringify({ bootId, instanceIds: [instanceId, ...before].slice(0, startsKept) }))
  return before
}

/** The machine's own id; a simulated host is a machine of its own, of which there may be several on one computer. */
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
  /** SHA-256 of the enrolment token that was used: another one in the settings means that the operator enrols anew. */
  enrolledWith: z.string().optional(),
})

/**
 * The token that names this host to the API: given by configuration, kept from an earlier enrolment, or enrolled for
 * now.
 */
export async function hostToken(config: Config, identity: Identity, api: Api, hypervisor: Hypervisor): Promise<string> {
  if (config.hostToken) return config.hostToken
  const path = join(config.stateDir, 'host.json')
  const text = await readIfThere(path)
  const kept = text === null ? null : keptHost.parse(JSON.parse(text))
  const { enrolmentToken } = config
  const used = enrolmentToken && hashOf(enrolmentToken)
  if (kept && (!used || used === (kept.enrolledWith ?? used))) return kept.hostToken
  if (!enrolmentToken) {
    throw new ConfigError(
      'This host is not enrolled yet: set ENROLMENT_TOKEN (made on the host screen) or AGENT_TOKEN.',
    )
  }
  const enrolled = await api.enrol.mutate({
    ...identity,
    enrolmentToken,
    hostname: hostname().slice(0, 120),
    capacity: await hypervisor.capacity(),
  })
  await writeDurably(path, JSON.stringify({ ...enrolled, enrolledWith: hashOf(enrolmentToken) }))
  return enrolled.hostToken
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
