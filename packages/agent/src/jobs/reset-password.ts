import type { JobPayload } from '@vps/shared/jobs.contract'
import * as text from '@vps/shared/text'
import { HypervisorError } from '../hypervisor/hypervisor.js'
import type { Handler, JobContext, Step } from './handler.js'
import { bootAgain, tryLogins } from './login-again.js'
import { startAgain, startMachine, stopMachine } from './power.js'
import * as stepNames from './step-names.js'

/**
 * By the guest agent, or a one-time image and a restart; both try a login. A customer may have closed SSH: without one
 * the job succeeds, unproven; but a refusal after the restart fails: nothing else tells whether the guest looked.
 */
export function resetPassword(payload: JobPayload): Handler {
  let proven = false
  const proveLogin: Step = {
    name: 'proveLogin',
    label: stepNames.provingLogin,
    weight: 40,
    limit: 'own',
    run: async (context) => {
      const login = await tryLogins(context, wanted(context))
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
        steps: [stopMachine, insertPassword, startMachine, bootAgain('ssh'), proveLogin, removeImage],
        plan: planByRestart,
        check: (_context, found) => (found.power === 'on' && found.seeds.length === 0 ? null : `it is ${found.power}`),
        undo: async (context) => {
          // A password not taken now must not be taken at a later start.
          await context.hypervisor.removeSeed(context.job.serverId)
          await startAgain(context)
        },
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

function isByRestart(payload: JobPayload): boolean {
  return payload.kind === 'resetPassword' && payload.byRestart
}

function wanted({ job }: JobContext): { username: string; password: string } {
  if (job.payload.kind !== 'resetPassword') throw new Error(`a ${job.payload.kind} job is not a password reset`)
  if (!job.secrets) throw new HypervisorError('the job came without its password', { final: true })
  return { username: job.payload.username, password: job.secrets.password }
}
