import { connectionTestMs } from '@vps/shared/agent'
import type { ClaimReply } from '@vps/shared/agent.contract'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { turn } from '../turn.js'
import { following } from '../wait.js'
import type { LoopDeps } from './loop.js'

const atOnce = 64
/** Routine ones come again. */
const mostWaiting = 1000

type Tests = ClaimReply['connectionTests']

/** The newest first: somebody may be waiting for it, and silent machines keep others for seconds. */
export function openConnectionTests(deps: LoopDeps & { hypervisor: Hypervisor }) {
  const { api, identity, signal, hypervisor } = deps
  const waiting: Tests = []
  let running = 0

  async function work(): Promise<void> {
    running += 1
    for (let test = waiting.pop(); test && !signal.aborted; test = waiting.pop()) await run(test)
    running -= 1
  }

  async function run({ id, address, port }: Tests[number]): Promise<void> {
    await turn(deps, 'connection test', async () => {
      const latencyMs = await hypervisor.testConnection(address, port, connectionTestMs.banner)
      const at = new Date().toISOString()
      await following([signal], (stop) =>
        api.connectionTested.mutate(
          { ...identity, id, sshConnectable: latencyMs !== null, latencyMs, at },
          { signal: stop },
        ),
      )
    })
  }

  return (tests: Tests): void => {
    for (const test of tests) waiting.push(test)
    waiting.splice(0, waiting.length - mostWaiting)
    while (running < atOnce && waiting.length > 0) void work()
  }
}
