import { mkdirSync } from 'node:fs'
import { pino, type Logger } from 'pino'
import { startAgent } from './agent.js'
import { codeOf, connectApi } from './api.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { HypervisorError } from './hypervisor/hypervisor.js'
import { openHypervisor } from './open-hypervisor.js'
import { hostToken, readIdentity } from './identity.js'
import { AlreadyRunning, lockFolder } from './lock.js'
import { enrolWhenReachable } from './enrol.js'
import { removeTemporaryFolders } from './temporary.js'
import { transferLimits } from './images/transfers.js'
import { messageOf } from './files.js'

/** A running act may end; then the process does. The journal has the rest. */
const stopLimitMs = 4500

async function main(): Promise<void> {
  const config = readConfig()
  const log = openLog(config)
  createStateDir(config)
  await lockFolder(config.stateDir)
  // Where nothing can be written they stay: the host is away until it can (state-dir.ts).
  await removeTemporaryFolders(config.stateDir).catch((error: unknown) =>
    log.warn({ err: error }, 'temporary folders of an earlier start cannot be removed yet'),
  )

  const ending = endOnSignals()
  const identity = await readIdentity(config)
  const hypervisor = openHypervisor(config, log)
  await hypervisor.open()
  let token: string | null = null
  const api = connectApi(config.apiUrl, () => token)
  token = await enrolWhenReachable(() => hostToken(config, identity, api, hypervisor), log, ending.signal)

  const agent = await startAgent({
    api,
    apiUrl: config.apiUrl,
    token: () => token,
    identity,
    hypervisor,
    stateDir: config.stateDir,
    lanes: config.lanes,
    limits: {
      bootMs: config.bootTimeoutSeconds * 1000,
      stillMs: (config.bootTimeoutSeconds * 1000) / 3,
      loginMs: 60_000,
      graceMs: 30_000,
      actMs: 60_000,
      imageMs: 600_000,
      awayMs: 30 * 60_000,
      pollMs: 500,
    },
    transferLimits: { ...transferLimits, allowed: config.allowedNetworks },
    log,
    onFatal: (error) => ending.fail(error),
  })
  log.info({ api: config.apiUrl, hypervisor: config.hypervisor.kind, lanes: config.lanes }, 'agent ready')
  await ending.asked
  setTimeout(() => process.exit(ending.code()), stopLimitMs).unref()
  await agent.stop()
  log.info('agent ended')
  process.exit(ending.code())
}

function openLog({ logLevel }: Config): Logger {
  const standardOutput = pino.destination({ maxLength: 1_000_000 })
  // A full disk under the log ends nothing else: as much waits for room, and no end waits for it.
  standardOutput.on('error', () => {
    standardOutput.flushSync = () => {}
  })
  return pino({ level: logLevel, redact: ['*.secrets', '*.password', '*.hostToken'] }, standardOutput)
}

function createStateDir({ stateDir }: Config): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(`STATE_DIR ${stateDir} cannot be made: ${messageOf(error)}`)
  }
}

/** 0 on a signal, 1 on a fatal refusal. */
function endOnSignals() {
  const controller = new AbortController()
  let code = 0
  const asked = new Promise<void>((resolve) =>
    controller.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => controller.abort())
  return {
    signal: controller.signal,
    asked,
    code: () => code,
    fail: (error: unknown) => {
      code = 1
      process.stderr.write(`${sentence(error)}\n`)
      controller.abort()
    },
  }
}

function sentence(error: unknown): string {
  const code = codeOf(error)
  if (code === 'UNAUTHENTICATED')
    return 'The API does not know this host: its token was revoked or is wrong. Set a new ENROLMENT_TOKEN, and no AGENT_TOKEN.'
  if (code === 'PROTOCOL_TOO_OLD') return 'The API no longer speaks this agent’s protocol: upgrade the agent.'
  if (error instanceof ConfigError || error instanceof AlreadyRunning || error instanceof HypervisorError)
    return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch((error: unknown) => {
  process.stderr.write(`${sentence(error)}\n`)
  process.exit(1)
})
