import type { JobPayload } from '@vps/shared/jobs.contract'
import type { Hypervisor } from '../hypervisor/hypervisor.js'
import { HypervisorError, unlessAway } from '../hypervisor/hypervisor.js'
import { checkStarted, leftBeside, planRestart, planStart, planStop } from '../plan.js'
import { pause } from '../wait.js'
import type { Handler, JobContext, Step } from './handler.js'
import { isCalledOff } from './stopped.js'
import * as stepNames from './step-names.js'

export const startMachine: Step = {
  name: 'startMachine',
  label: stepNames.starting,
  weight: 50,
  run: async (context) => {
    if (context.found.power === 'absent') throw notThere()
    await context.hypervisor.start(context.job.serverId)
    await context.hypervisor.setAutostart(context.job.serverId, true)
  },
}

export const start: Handler = {
  steps: [startMachine],
  plan: ({ found }) => planStart(found),
  check: (_context, found) => checkStarted(found),
  proves: () => false,
}

export const stop: Handler = {
  steps: [
    {
      name: 'askShutdown',
      label: stepNames.shuttingDown,
      weight: 70,
      limit: 'own',
      run: async (context) => {
        // First: a host that reboots in the middle must not bring it back.
        await keepOff(context)
        await shutDownWithin(context, stopPayload(context).graceSeconds * 1000)
      },
    },
    {
      name: 'cutPower',
      label: '确认断电',
      weight: 30,
      run: async (context) => {
        const { hypervisor, job } = context
        if (!(await isOff(hypervisor, job.serverId))) await hypervisor.cutPower(job.serverId)
        await keepOff(context)
        const inUse = leftBeside(context.found)
        // Off is what counts; the next stop takes it away.
        if (inUse) await hypervisor.removeOthers(job.serverId, inUse).catch(unlessAway)
      },
    },
  ],
  plan: (context) => planStop(context.found, stopPayload(context).force),
  check: (_context, found) =>
    found.power === 'off' || found.power === 'absent' ? null : `the machine is ${found.power}`,
  proves: () => false,
  // Called off or failed: what runs on comes back with its host, unless its owner must not use it. Whatever was found:
  // an agent that ended in between had kept it from coming back.
  undo: async (context) => {
    const { hypervisor, job } = context
    if (stopPayload(context).staysOff) return
    const { power, autostart } = await hypervisor.find(job.serverId)
    if (autostart || power === 'off' || power === 'absent') return
    await hypervisor.setAutostart(job.serverId, true)
  },
}

/** Autostart stays: what follows brings it back. */
export const stopMachine: Step = {
  name: 'stopMachine',
  label: stepNames.shuttingDown,
  weight: 50,
  limit: 'own',
  run: async (context) => {
    if (context.found.power === 'absent') throw notThere()
    await shutDownWithin(context, context.limits.graceMs, true)
    // Not done: taken up again, it is asked anew.
    context.signal.throwIfAborted()
    if (!(await isOff(context.hypervisor, context.job.serverId)))
      await context.hypervisor.cutPower(context.job.serverId)
  },
}

export const restart: Handler = {
  steps: [stopMachine, startMachine],
  plan: ({ found, done }) => planRestart(found, done.has('stopMachine')),
  check: (_context, found) => checkStarted(found),
  proves: () => false,
  undo: startAgain,
}

/** After a failure, or broken off between stop and start: off stays only what its owner had stopped. */
export async function startAgain({ hypervisor, job }: JobContext): Promise<void> {
  const { power, autostart } = await hypervisor.find(job.serverId)
  if (power === 'off' && autostart) await hypervisor.start(job.serverId)
}

/**
 * A guest that does not obey in time is no error. `startsAgain`: called off meanwhile, it is waited for all the same;
 * once asked it goes off, and only then it can be started.
 */
async function shutDownWithin(
  { hypervisor, job, limits, signal }: JobContext,
  graceMs: number,
  startsAgain = false,
): Promise<void> {
  const end = performance.now() + graceMs
  await hypervisor.askShutdown(job.serverId)
  while (performance.now() < end && !(await isOff(hypervisor, job.serverId))) {
    const goesOn = startsAgain && isCalledOff(signal)
    if (!goesOn) signal.throwIfAborted()
    await pause(limits.pollMs, ...(goesOn ? [] : [signal]))
  }
}

/** May fail: a hung QEMU takes nothing before its power is cut. The API asks again. */
async function keepOff({ hypervisor, job }: JobContext): Promise<void> {
  await hypervisor.setAutostart(job.serverId, false).catch(unlessAway)
}

/** As far as known: who waits looks again where a look fails, and cutting the power looks for itself. */
async function isOff(hypervisor: Hypervisor, serverId: string): Promise<boolean> {
  const found = await hypervisor.find(serverId).catch(unlessAway)
  return found?.power === 'off' || found?.power === 'absent'
}

function stopPayload({ job }: JobContext): Extract<JobPayload, { kind: 'stop' }> {
  if (job.payload.kind !== 'stop') throw new Error(`a ${job.payload.kind} job is not a stop`)
  return job.payload
}

/** For an act that would define one. */
export function nameTaken(): HypervisorError {
  return new HypervisorError('a domain with another UUID has the name of this machine', {
    final: true,
    customer: '宿主机上有同名的虚拟机',
  })
}

/** For an act on a machine that must be there. */
export function notThere(): HypervisorError {
  return new HypervisorError('there is no such machine on this host', { final: true, customer: '服务器不存在' })
}
