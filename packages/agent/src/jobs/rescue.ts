import type { JobPayload, MachineDescription } from '@vps/shared/jobs.contract'
import { createHostKey } from '../host-key.js'
import { accessOf, HypervisorError, unlessAway } from '../hypervisor/hypervisor.js'
import { checkInRescue, checkRescueLeft, planEnterRescue, planLeaveRescue } from '../plan.js'
import { following } from '../wait.js'
import type { Handler, JobContext } from './handler.js'
import { tryLoginAgain } from './login-again.js'
import { passwordOf, untilLoggedIn, untilUp } from './made-system.js'
import { notThere, startAgain, startMachine, stopMachine } from './power.js'
import * as stepNames from './step-names.js'

/**
 * A small system of ours, with the machine's addresses and its disk as the second. Its one-time password must log in,
 * else it failed, and the machine is as before; unless the image's readiness promises less.
 */
export const enterRescue = (payload: JobPayload): Handler => ({
  steps: [
    {
      name: 'verifyImage',
      label: '校验救援镜像',
      weight: 5,
      limit: 'imageMs',
      run: ({ hypervisor, job }) => hypervisor.verifyImage(wanted(job).machine.image),
    },
    {
      name: 'createRescue',
      label: '准备救援系统',
      weight: 10,
      limit: 'imageMs',
      run: createRescue,
    },
    { ...stopMachine, weight: 25 },
    {
      name: 'enterRescue',
      label: '切换到救援系统',
      weight: 5,
      run: ({ hypervisor, job }) => hypervisor.enterRescue(job.serverId, wanted(job).rescueId),
    },
    { ...startMachine, weight: 10 },
    { name: 'awaitBoot', label: '等待救援系统启动', weight: 30, limit: 'own', run: awaitRescue },
    { name: 'proveLogin', label: stepNames.provingLogin, weight: 10, limit: 'own', run: proveRescue },
    {
      name: 'removeSeed',
      label: stepNames.removingSeed,
      weight: 5,
      run: ({ hypervisor, job }) => hypervisor.removeSeed(job.serverId),
    },
  ],
  plan: ({ job, found, hostKey }) => {
    const steps = planEnterRescue(wanted(job).rescueId, found, hostKey !== null)
    if (steps) return steps
    throw notThere()
  },
  check: ({ job }, found) => checkInRescue(wanted(job).rescueId, found),
  proves: () => isProvenBy(payload),
  undo: async ({ hypervisor, job, found: before }) => {
    const now = await hypervisor.find(job.serverId)
    if (now.power === 'absent') return
    if (now.rescueId !== null) await hypervisor.cutPower(job.serverId)
    await hypervisor.leaveRescue(job.serverId)
    if (before.autostart) await hypervisor.start(job.serverId)
    else await hypervisor.setAutostart(job.serverId, false)
  },
})

/**
 * Its own disk boots again, unless its owner must not use it (`start`). It may still be broken: without a login the job
 * succeeds, unproven.
 */
export function leaveRescue(payload: JobPayload): Handler {
  const start = payload.kind !== 'leaveRescue' || payload.start
  let proven = false
  return {
    steps: [
      {
        ...stopMachine,
        weight: 30,
        run: async (context) => {
          // First: a host that reboots in the middle must not bring it back.
          if (!start) await context.hypervisor.setAutostart(context.job.serverId, false).catch(unlessAway)
          await stopMachine.run(context)
        },
      },
      {
        name: 'leaveRescue',
        label: '切换回原系统',
        weight: 15,
        run: ({ hypervisor, job }) => hypervisor.leaveRescue(job.serverId),
      },
      { ...startMachine, weight: 15 },
      { name: 'awaitBoot', label: stepNames.awaitingBoot, weight: 25, limit: 'own', run: awaitOwn },
      tryLoginAgain((accepted) => (proven = accepted)),
    ],
    plan: ({ found }) => {
      const steps = planLeaveRescue(start, found)
      if (steps) return steps
      throw notThere()
    },
    check: (_context, found) => checkRescueLeft(start, found),
    proves: () => proven,
    ...(start ? { undo: startAgain } : {}),
  }
}

async function createRescue(context: JobContext): Promise<void> {
  const { job, hypervisor, memory } = context
  const { rescueId, machine } = wanted(job)
  const hostKey = createHostKey()
  // Before the seed: once a guest can have the key, the proof must know it.
  await memory.noteRescueKey(job.serverId, job.generation, { id: rescueId, hostKey: hostKey.fingerprint })
  const passwordHash = await hypervisor.hashPassword(passwordOf(context))
  await hypervisor.createRescue(job.serverId, rescueId, machine, { passwordHash, hostKey })
}

function awaitRescue(context: JobContext): Promise<void> {
  const words = '救援系统未能启动，服务器已恢复原状'
  return untilUp(context, wanted(context.job).machine, { still: words, late: words })
}

async function proveRescue(context: JobContext): Promise<void> {
  const { job, memory } = context
  if (!isProvenBy(job.payload)) return
  const { rescueId, machine } = wanted(job)
  const hostKey = await memory.rescueKeyOf(job.serverId, rescueId)
  if (hostKey === null) throw new HypervisorError('the host key of this rescue is not known')
  await untilLoggedIn(context, { access: accessOf(machine), password: passwordOf(context), hostKey })
}

/** As long as a guest may be still: whoever is in trouble wants to know soon. */
async function awaitOwn({ hypervisor, job, found, limits, signal }: JobContext): Promise<void> {
  const { access } = found
  if (!access) return
  const late = AbortSignal.timeout(limits.stillMs)
  try {
    await following([signal, late], (stop) => hypervisor.awaitBoot(job.serverId, access, stop))
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error
  }
}

const isProvenBy = (payload: JobPayload) => wanted({ payload }).machine.image.readiness === 'ssh'

function wanted({ payload }: { payload: JobPayload }): { rescueId: string; machine: MachineDescription } {
  if (payload.kind !== 'enterRescue') throw new Error(`a ${payload.kind} job is not one into rescue`)
  return payload
}
