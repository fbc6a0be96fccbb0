import { beatSeconds } from '@vps/shared/jobs'
import type { Logger } from 'pino'
import type { Api } from './api.js'
import { openConsoles } from './consoles.js'
import type { Hypervisor } from './hypervisor/hypervisor.js'
import type { Identity } from './identity.js'
import { transferLoop, type TransferLimits } from './images/transfers.js'
import type { Limits } from './jobs/handler.js'
import { openJournal } from './journal.js'
import { Lanes } from './lanes.js'
import { claimLoop } from './loops/claim.js'
import { inventoryLoop } from './loops/inventory.js'
import { reportLoop } from './loops/report.js'
import { openMemory } from './memory.js'
import { watchPresence } from './presence.js'
import { stateAway } from './state-dir.js'

export type AgentDeps = {
  api: Api
  apiUrl: string
  token: () => string | null
  identity: Identity
  hypervisor: Hypervisor
  stateDir: string
  lanes: number
  limits: Limits
  transferLimits: TransferLimits
  log: Logger
  onFatal: (error: unknown) => void
}

/** Recovers the journal and starts the loops; `stop` ends them, and the journal keeps the unfinished. */
export async function startAgent(deps: AgentDeps): Promise<{ stop: () => Promise<void> }> {
  const { api, identity, hypervisor, log, onFatal } = deps
  const journal = openJournal(deps.stateDir)
  const left = await journal.readAll()
  for (const file of left.unreadable)
    log.error({ file }, 'a journal file cannot be read; it is put aside where something can be written')

  const ending = new AbortController()
  const checkPresence = async () => (await stateAway(deps.stateDir)) ?? hypervisor.checkPresence()
  const presence = watchPresence({ checkPresence }, log)
  const loop = { api, identity, log, signal: ending.signal, onFatal }
  const transfers = transferLoop({
    ...loop,
    images: hypervisor.images,
    limits: deps.transferLimits,
    onChange: () => report.nudge(),
    onReady: () => inventory.nudge(),
  })
  const report = reportLoop({ ...loop, hypervisor, presence, transfers })
  const inventory = inventoryLoop({ ...loop, hypervisor, presence, transfers })
  const lanes: Lanes = new Lanes({
    api,
    identity,
    journal,
    log,
    onFatal,
    job: { hypervisor, presence, memory: openMemory(deps.stateDir), limits: deps.limits },
    beatMs: beatSeconds * 1000,
    size: deps.lanes,
    onEnded: (run) => {
      claim.laneFreed()
      report.nudge()
      if (run.kind === 'destroy') inventory.nudge()
    },
  })
  // Before the first claim, which names what is held: the API then hands interrupted jobs out again.
  lanes.recover(left.entries)
  const consoles = openConsoles({ ...deps, signal: ending.signal })
  const claim = claimLoop({ ...loop, hypervisor, presence, lanes, consoles })
  return {
    async stop() {
      ending.abort()
      await Promise.all([lanes.stop(), claim.ended, report.ended, inventory.ended, transfers.ended])
    },
  }
}
