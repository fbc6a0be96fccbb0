import type { ClaimReply } from '@vps/shared/agent.contract'
import { repositoryProblemIn } from '@vps/shared/backups'
import type { Consoles } from '../consoles.js'
import { type Hypervisor, HypervisorError } from '../hypervisor/hypervisor.js'
import type { Lanes } from '../lanes.js'
import type { Presence } from '../presence.js'
import { Backoff, following, pause } from '../wait.js'
import { turn } from '../turn.js'
import { openConnectionTests } from './connection-tests.js'
import type { LoopDeps } from './loop.js'

const waitSeconds = 25

/**
 * Asks even without a free lane (none while the hypervisor is away): connection tests and consoles ride on the reply.
 * Such a call ends when a lane gets free; it cannot have brought a job.
 */
export function claimLoop(
  deps: LoopDeps & { hypervisor: Hypervisor; presence: Presence; lanes: Lanes; consoles: Consoles },
) {
  const { api, identity, signal, presence, lanes, consoles } = deps
  let full: AbortController | null = null
  const queueTests = openConnectionTests(deps)

  async function claim(): Promise<void> {
    const away = await presence.look()
    const freeLanes = away ? 0 : lanes.free
    full = freeLanes === 0 ? new AbortController() : null
    if (away) void freeWhenBack(full)
    const began = performance.now()
    let reply: ClaimReply
    try {
      reply = await following(full ? [signal, full.signal] : [signal], (stop) =>
        api.claim.mutate({ ...identity, freeLanes, waitSeconds, running: lanes.holding() }, { signal: stop }),
      )
    } catch (error) {
      if (full?.signal.aborted) return
      throw error
    }
    if (reply.job) lanes.accept(reply.job)
    queueTests(reply.connectionTests)
    // An older API sends none.
    for (const asked of reply.consoles ?? []) void consoles.bring(asked)
    for (const test of reply.repositoryTests ?? []) void testRepository(test)
    // An API that answers "nothing" at once must not make this loop spin.
    if (!reply.job && performance.now() - began < 500) await pause(500, signal)
  }

  async function freeWhenBack(claimed: AbortController | null): Promise<void> {
    await presence.untilBack(signal).then(
      () => claimed?.abort(),
      () => {},
    )
  }

  /** Nobody asks again: whatever comes of it is told. */
  async function testRepository({ id, repository }: ClaimReply['repositoryTests'][number]): Promise<void> {
    await turn(deps, 'repository test', async () => {
      const said = await deps.hypervisor.testRepository(repository, signal).then(
        () => null,
        (error: unknown) => (error instanceof HypervisorError ? error.message : 'failed'),
      )
      const problem = said === null ? null : repositoryProblemIn(said)
      const detail = wordsOf(said ?? '').slice(0, 1000)
      await following([signal], (stop) =>
        api.repositoryTested.mutate({ ...identity, id, problem, detail }, { signal: stop }),
      )
    })
  }

  const ended = (async () => {
    const backoff = new Backoff(500, 15_000)
    while (!signal.aborted) {
      if (await turn(deps, 'claim', claim)) backoff.reset()
      else await pause(backoff.next(), signal)
    }
  })()
  return { ended, laneFreed: () => full?.abort() }
}

const wordsOf = (said: string) => said.replace(/^nice .*? restic [^:]*: /, '')
