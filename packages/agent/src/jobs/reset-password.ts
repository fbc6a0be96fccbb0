import { HypervisorError } from '../hypervisor/hypervisor.js'
import { pauseOrThrow } from '../wait.js'
import type { Handler, JobContext } from './handler.js'

/** How often a login is tried with the new password before the job ends without that proof. */
const loginTries = 5

/**
 * Sets a password through the guest's agent and tries a login with it. The agent's answer is what counts: a customer may
 * have closed SSH, so a login that does not come about leaves the job successful and unproven.
 */
export function resetPassword(): Handler {
  let proven = false
  return {
    steps: [
      {
        name: 'setPassword',
        label: '设置新密码',
        weight: 60,
        run: async (context) => {
          if (context.found.power !== 'on') {
            throw new HypervisorError(`the machine is ${context.found.power}`, {
              final: true,
              customer: '服务器未运行，无法重置密码',
            })
          }
          const { username, password } = wanted(context)
          await context.hypervisor.setPassword(context.job.serverId, username, password)
        },
      },
      {
        name: 'proveLogin',
        label: '验证登录',
        weight: 40,
        limit: 'own',
        run: async (context) => {
          proven = await canLogIn(context)
        },
      },
    ],
    plan: () => new Set(['setPassword', 'proveLogin']),
    check: () => null,
    proves: () => proven,
  }
}

async function canLogIn(context: JobContext): Promise<boolean> {
  const { hypervisor, memory, job, limits, signal, found } = context
  if (found.access?.readiness !== 'ssh' || !found.definedBy) return false
  // A guest whose key is not known, or was changed by its owner, is not told the password: that it is the guest is not sure.
  const hostKey = await memory.hostKeyOf(job.serverId, found.definedBy)
  if (hostKey === null) return false
  const { username, password } = wanted(context)
  for (let tries = 0; tries < loginTries; tries += 1) {
    try {
      await hypervisor.tryLogin(job.serverId, { ...found.access, username }, password, hostKey)
      return true
    } catch {
      await pauseOrThrow(limits.pollMs, signal)
    }
  }
  return false
}

function wanted({ job }: JobContext): { username: string; password: string } {
  if (job.payload.kind !== 'resetPassword') throw new Error(`a ${job.payload.kind} job is not a password reset`)
  if (!job.secrets) throw new HypervisorError('the job came without its password', { final: true })
  return { username: job.payload.username, password: job.secrets.password }
}
