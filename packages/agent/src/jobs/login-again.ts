import type { Readiness } from '@vps/shared/jobs'
import { LoginRefused } from '../hypervisor/hypervisor.js'
import { following, pauseOrThrow } from '../wait.js'
import type { JobContext, Step } from './handler.js'
import * as stepNames from './step-names.js'

/** A delivered guest, started again: its owner may have closed or moved SSH. */

const loginTries = 5

/** For its image's readiness unless `readiness` says otherwise, at most `bootMs`. */
export const bootAgain = (readiness?: Readiness): Step => ({
  name: 'awaitBoot',
  label: stepNames.awaitingBoot,
  weight: 45,
  limit: 'own',
  run: async ({ hypervisor, job, found, limits, signal }) => {
    const { access } = found
    if (!access) return
    const late = AbortSignal.timeout(limits.bootMs)
    try {
      await following([signal, late], (stop) =>
        hypervisor.awaitBoot(job.serverId, { ...access, readiness: readiness ?? access.readiness }, stop),
      )
    } catch (error) {
      // Its owner may have closed SSH: the guest had time to look.
      if (!late.aborted || signal.aborted) throw error
    }
  },
})

/** With the job's password, which the owner may have changed; `tell` what came of it. */
export const tryLoginAgain = (tell: (accepted: boolean) => void): Step => ({
  name: 'proveLogin',
  label: stepNames.provingLogin,
  weight: 15,
  limit: 'own',
  run: async (context) => {
    const { found, job } = context
    if (!found.access || !job.secrets) return
    tell((await tryLogins(context, { ...found.access, password: job.secrets.password })) === 'accepted')
  },
})

/** `unknown`: nobody answered, or another guest. */
export async function tryLogins(
  context: JobContext,
  { username, password }: { username: string; password: string },
): Promise<'accepted' | 'refused' | 'unknown'> {
  const { hypervisor, memory, job, limits, signal, found } = context
  if (found.access?.readiness !== 'ssh' || !found.definedBy) return 'unknown'
  // Without a known host key this may be another guest: no password is told.
  const hostKey = await memory.hostKeyOf(job.serverId, found.definedBy)
  if (hostKey === null) return 'unknown'
  let last: unknown = null
  for (let tries = 0; tries < loginTries; tries += 1) {
    try {
      await hypervisor.tryLogin(job.serverId, { ...found.access, username }, password, hostKey)
      return 'accepted'
    } catch (error) {
      last = error
      await pauseOrThrow(limits.pollMs, signal)
    }
  }
  return last instanceof LoginRefused ? 'refused' : 'unknown'
}
