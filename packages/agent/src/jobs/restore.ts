import type { JobPayload } from '@vps/shared/jobs.contract'
import * as verbs from '@vps/shared/verbs'
import { checkFirewall, checkInstalled, planRestore, planRestoreElsewhere, same } from '../plan.js'
import { backupOf } from './backup.js'
import type { Handler, JobContext, Step } from './handler.js'
import { settingUp } from './install.js'
import { bootAgain, tryLogins } from './login-again.js'
import { nameTaken, startAgain, startMachine } from './power.js'
import * as stepNames from './step-names.js'

/**
 * A backup's disk becomes the machine's next generation, beside the present one, whose machine runs until it is whole:
 * a failure before costs nothing. Tries a login with the password of then, as after a revert.
 */
export function restore(payload: JobPayload): Handler {
  if (payload.kind !== 'restore') throw new Error(`a ${payload.kind} job is not a restore`)
  return payload.from !== undefined ? restoreElsewhere : restoreHere(payload.firewall)
}

function restoreHere(guard: Guard | undefined): Handler {
  let proven = false
  return {
    steps: [
      restoreDisk,
      cutPower,
      { name: 'defineMachine', label: stepNames.defining, weight: 5, run: define },
      ...(guard ? [putUp(guard)] : []),
      removeOthers,
      { ...startMachine, weight: 5, run: async (context) => startMachine.run(await asItIs(context)) },
      { ...bootAgain(), weight: 10, run: async (context) => bootAgain().run(await asItIs(context)) },
      {
        name: 'proveLogin',
        label: stepNames.provingLogin,
        weight: 10,
        limit: 'own',
        run: async (context) => {
          const { found, job } = await asItIs(context)
          if (!found.access || !job.secrets) return
          const login = { ...found.access, password: job.secrets.password }
          proven = (await tryLogins({ ...context, found }, login)) === 'accepted'
        },
      },
    ],
    plan: ({ job, found }) => {
      const steps = planRestore(job.generation, found, guard?.revision)
      if (steps) return steps
      throw nameTaken()
    },
    check: ({ job }, found) =>
      checkInstalled(job.generation, found) ?? (guard ? checkFirewall(guard.revision, found) : null),
    proves: () => proven,
    undo: leaveAsItWas,
  }
}

type Guard = NonNullable<Extract<JobPayload, { kind: 'restore' }>['firewall']>

const putUp = ({ revision, firewall }: Guard): Step => ({
  name: 'applyFirewall',
  label: verbs.applyFirewall,
  weight: 5,
  run: ({ hypervisor, job }) => hypervisor.applyFirewall(job.serverId, revision, firewall),
})

const restoreDisk: Step = {
  name: 'restoreDisk',
  label: '取回备份',
  weight: 60,
  limit: 'own',
  run: (context) => {
    const { hypervisor, job } = context
    return hypervisor.restoreDisk(job.serverId, machineOf(context), job.generation, backupOf(context), context)
  },
}

const cutPower: Step = {
  name: 'cutPower',
  label: stepNames.cuttingPower,
  weight: 5,
  run: ({ hypervisor, job }) => hypervisor.cutPower(job.serverId),
}

const removeOthers: Step = {
  name: 'removeOthers',
  label: '移除原磁盘',
  weight: 5,
  run: ({ hypervisor, job }) => hypervisor.removeOthers(job.serverId, job.generation),
}

/**
 * Of another server: set up like an image's disk, from its own seed, so that no two have one address, name or host key.
 * Its login must be proven.
 */
const restoreElsewhere: Handler = {
  steps: [
    restoreDisk,
    cutPower,
    removeOthers,
    ...settingUp.flatMap((step) => (step.name === 'awaitBoot' ? [takeIdentity(), step] : [step])),
  ],
  plan: ({ job, found, proven }) => {
    const steps = planRestoreElsewhere(job.generation, found, proven)
    if (steps) return steps
    throw nameTaken()
  },
  check: ({ job }, found) => checkInstalled(job.generation, found),
  proves: () => true,
  undo: leaveAsItWas,
}

function takeIdentity(): Step {
  return {
    name: 'takeIdentity',
    label: '设置为本服务器',
    weight: 20,
    limit: 'own',
    run: ({ hypervisor, job, limits, signal }) =>
      hypervisor.takeIdentity(job.serverId, job.generation, limits.bootMs, signal),
  }
}

/** It stays once it is the machine's, whose guest may have written: then the old one goes; and where it is the only one. */
async function leaveAsItWas(context: JobContext): Promise<void> {
  const { hypervisor, job } = context
  const found = await hypervisor.find(job.serverId)
  const { definedBy, disks } = found
  if (definedBy && same(definedBy, job.generation) && disks.length > 1)
    await hypervisor.removeOthers(job.serverId, job.generation)
  if (!definedBy || !planRestore(job.generation, found)?.has('defineMachine')) return
  if (!disks.some((disk) => same(disk, definedBy))) return
  await hypervisor.removeOthers(job.serverId, definedBy)
  await startAgain(context)
}

async function define(context: JobContext): Promise<void> {
  const { hypervisor, memory, job } = context
  const { payload } = job
  // Of the generation of then: no other guest is told the password.
  if (payload.kind === 'restore' && payload.hostKey !== null)
    await memory.noteHostKey(job.serverId, job.generation, payload.hostKey)
  await hypervisor.removeSeed(job.serverId)
  await hypervisor.define(job.serverId, machineOf(context), job.generation)
}

async function asItIs(context: JobContext): Promise<JobContext> {
  return { ...context, found: await context.hypervisor.find(context.job.serverId) }
}

function machineOf({ job: { payload } }: JobContext) {
  if (payload.kind !== 'restore') throw new Error(`a ${payload.kind} job is not a restore`)
  return payload.machine
}
