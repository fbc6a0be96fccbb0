import { loopback } from '@vps/shared/networks'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { protocolVersion } from '@vps/shared/agent'
import { pino } from 'pino'
import { startAgent } from '../agent.js'
import { connectApi } from '../api.js'
import type { SimulatedSettings } from '../config.js'
import { type Fault, writeFaults } from '../hypervisor/simulated/faults.js'
import { openSimulated } from '../hypervisor/simulated/simulated.js'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import type { TransferLimits } from '../images/transfers.js'
import type { Limits } from '../jobs/handler.js'
import { watchPresence } from '../presence.js'
import type { WithTemporaryFolder } from '../temporary.js'
import type { ScriptedApi } from './scripted-api.js'

export const quickLimits: Limits = {
  bootMs: 20_000,
  stillMs: 20_000,
  loginMs: 200,
  graceMs: 100,
  actMs: 20_000,
  imageMs: 20_000,
  awayMs: 30_000,
  pollMs: 5,
}

/** Retries at once; what a test ignores never strikes. */
export const quickTransfers: TransferLimits = {
  stallMs: 120_000,
  wholeMs: 120_000,
  spareBytes: 0,
  lookMs: 10,
  firstPauseMs: 10,
  lastPauseMs: 40,
  tellEveryMs: 10,
  allowed: loopback,
}

/** Looks often, and says nothing. */
export const quietPresence = (hypervisor: Hypervisor) => watchPresence(hypervisor, pino({ level: 'silent' }), 5)

/** For one test. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'vps-agent-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** As the agent's, without a state folder. */
export const withTemporaryFolder: WithTemporaryFolder = async (act) => {
  const folder = temporaryFolder()
  try {
    return await act(folder.path)
  } finally {
    folder.remove()
  }
}

/** Acts take no time. */
export function quickHost(stateDir: string, change: Partial<SimulatedSettings> = {}): Hypervisor {
  return openSimulated({
    stateDir,
    seedFile: null,
    faultsFile: faultsFile(stateDir),
    backupsDir: join(stateDir, 'simulated-backups'),
    installMs: 0,
    powerMs: 0,
    cpuCores: 100,
    memoryMb: 200_000,
    diskGb: 5000,
    ...change,
  })
}

function faultsFile(stateDir: string): string {
  return join(stateDir, 'faults.json')
}

export function putFaults(stateDir: string, ...faults: Fault[]): void {
  writeFaults(faultsFile(stateDir), faults)
}

/** In this process, on a simulated host, for this API. */
export async function startTestAgent(api: ScriptedApi, stateDir: string, hypervisor: Hypervisor, limits = quickLimits) {
  const fatal: unknown[] = []
  const agent = await startAgent({
    api: connectApi(api.url, () => api.hostToken),
    apiUrl: api.url,
    token: () => api.hostToken,
    identity: {
      protocol: protocolVersion,
      agentVersion: 'test',
      machineId: 'test-machine',
      instanceId: randomUUID(),
      before: [],
    },
    hypervisor,
    stateDir,
    lanes: 4,
    limits,
    transferLimits: quickTransfers,
    log: pino({ level: 'silent' }),
    onFatal: (error) => fatal.push(error),
  })
  return { ...agent, fatal }
}
