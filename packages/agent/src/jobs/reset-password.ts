import type { JobPayload } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import { HypervisorError, LoginRefused } from '../hypervisor/hypervisor.js'
import { following, pauseOrThrow } from '../wait.js'
import type { Handler, JobContext, Step } from './handler.js'
import { startMachine, stopMachine } from './power.js'
import * as stepNames from './step-names.js'

/** Then the job ends without that proof. */
const loginTries = 5

/**
 * Through the guest agent, or through a one-time image and a restart; both try a login. A customer may have closed SSH,
 * so a login that does not come about leaves the job successful and unproven; but a refusal after the restart is a
 * failure: nothing else tells whether the guest has looked.
 */
export function resetPassword(payload: JobPayload): Handler {
  let proven = false
  const proveLogin: Step = {
    name: 'proveLogin',
    label: stepNames.provingLogin,
    weight: 40,
    limit: 'own',
    run: async (context) => {
      const login = await tryLogins(context)
      proven = login === 'accepted'
      if (login === 'refused' && isByRestart(payload)) {
        throw new HypervisorError('the guest refused the new password after the restart', {
          final: true,
          customer: text.resetNotTaken,
        })
      }
    },
  }
  const rest = { proves: () => proven }
  return isByRestart(payload)
    ? {
        steps: [stopMachine, insertPassword, startMachine, bootAgain, proveLogin, removeImage],
        plan: planByRestart,
        check: (_context, found) => (found.power === 'on' && found.seeds.length === 0 ? null : `it is ${found.power}`),
        // A password not taken now must not be taken at a later start.
        undo: ({ hypervisor, job }) => hypervisor.removeSeed(job.serverId),
        ...rest,
      }
    : {
        steps: [setPassword, proveLogin],
        plan: () => new Set(['setPassword', 'proveLogin']),
        check: () => null,
        ...rest,
      }
}

const setPassword: Step = {
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
}

const insertPassword: Step = {
  name: 'insertPassword',
  label: '写入新密码',
  weight: 10,
  run: async (context) => {
    const { username, password } = wanted(context)
    const hash = await context.hypervisor.hashPassword(password)
    await context.hypervisor.insertPassword(context.job.serverId, username, hash)
  },
}

const bootAgain: Step = {
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
        hypervisor.awaitBoot(job.serverId, { ...access, readiness: 'ssh' }, stop),
      )
    } catch (error) {
      // Its owner may have closed SSH: the limit is enough for the guest to have looked.
      if (!late.aborted || signal.aborted) throw error
    }
  },
}

const removeImage: Step = {
  name: 'removeSeed',
  label: stepNames.removingSeed,
  weight: 5,
  run: ({ hypervisor, job }) => hypervisor.removeSeed(job.serverId),
}

/** After the start with the image, an interrupted run only looks what came of it. */
function planByRestart({ found, done }: JobContext): Set<string> {
  const last = ['awaitBoot', 'proveLogin', 'removeSeed']
  if (done.has('startMachine') && found.power === 'on') return new Set(last)
  return new Set([...(found.power === 'off' ? [] : ['stopMachine']), 'insertPassword', 'startMachine', ...last])
}

/** `unknown`: nobody answered, or not as the guest that it should be. */
async function tryLogins(context: JobContext): Promise<'accepted' | 'refused' | 'unknown'> {
  const { hypervisor, memory, job, limits, signal, found } = context
  if (found.access?.readiness !== 'ssh' || !found.definedBy) return 'unknown'
  // Without a known host key it is not sure that this is the guest: no password is told.
  const hostKey = await memory.hostKeyOf(job.serverId, found.definedBy)
  if (hostKey === null) return 'unknown'
  const { username, password } = wanted(context)
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

function isByRestart(payload: JobPayload): boolean {
  return payload.kind === 'resetPassword' && payload.byRestart
}

function wanted({ job }: JobContext): { username: string; password: string } {
  if (job.payload.kind !== 'resetPassword') throw new Error(`a ${job.payload.kind} job is not a password reset`)
  if (!job.secrets) throw new HypervisorError('the job came without its password', { final: true })
  return { username: job.payload.username, password: job.secrets.password }
}
