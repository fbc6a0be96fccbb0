import type { JobPayload, MachineDescription } from '@vps/shared/jobs.contract'
import { accessOf, HypervisorError } from '../hypervisor/hypervisor.js'
import { createHostKey } from '../host-key.js'
import { checkInstalled, planInstall } from '../plan.js'
import type { Handler, JobContext, Step } from './handler.js'
import { passwordOf, untilLoggedIn, untilUp } from './made-system.js'
import { nameTaken } from './power.js'
import * as stepNames from './step-names.js'

const making: readonly Step[] = [
  {
    name: 'verifyImage',
    label: '校验镜像',
    weight: 5,
    limit: 'imageMs',
    run: ({ hypervisor, job }) => hypervisor.verifyImage(machineOf(job).image),
  },
  {
    name: 'createDisk',
    label: '创建磁盘',
    weight: 10,
    limit: 'imageMs',
    run: async (context) => {
      // An older generation gives way here, never earlier: the image is verified by now.
      await clear(context)
      await context.hypervisor.createDisk(context.job.serverId, machineOf(context.job), context.job.generation)
    },
  },
]

/** Once its disk is there: a machine of its own, its login proven. */
export const settingUp: readonly Step[] = [
  {
    name: 'createSeed',
    label: '生成初始化配置',
    weight: 5,
    run: async (context) => {
      const { job, hypervisor, memory } = context
      const hostKey = createHostKey()
      // Before the seed: once a guest can have the key, the proof must know it.
      await memory.noteHostKey(job.serverId, job.generation, hostKey.fingerprint)
      const passwordHash = await hypervisor.hashPassword(passwordOf(context))
      await hypervisor.createSeed(job.serverId, machineOf(context.job), job.generation, { passwordHash, hostKey })
    },
  },
  {
    name: 'defineMachine',
    label: stepNames.defining,
    weight: 5,
    run: (context) => context.hypervisor.define(context.job.serverId, machineOf(context.job), context.job.generation),
  },
  {
    name: 'startMachine',
    label: stepNames.starting,
    weight: 10,
    run: async ({ job, hypervisor }) => {
      await hypervisor.start(job.serverId)
      await hypervisor.setAutostart(job.serverId, true)
    },
  },
  {
    name: 'awaitBoot',
    label: stepNames.awaitingBoot,
    weight: 45,
    limit: 'own',
    run: awaitBoot,
  },
  {
    name: 'proveLogin',
    label: stepNames.provingLogin,
    weight: 15,
    limit: 'own',
    run: proveLogin,
  },
  {
    name: 'removeSeed',
    label: stepNames.removingSeed,
    weight: 5,
    run: (context) => context.hypervisor.removeSeed(context.job.serverId),
  },
]

const steps = [...making, ...settingUp]

/** Also reinstall. Proves the login where its image is ready by SSH. */
export const install = (payload: JobPayload): Handler => ({
  steps: provesLogin(payload) ? steps : steps.map((step) => (step.name === 'proveLogin' ? takeReadiness : step)),
  plan: ({ job, found, proven, hostKey }) => planInstall(job.generation, found, { proven, keyed: hostKey !== null }),
  check: ({ job }, found) => checkInstalled(job.generation, found),
  proves: () => provesLogin(payload),
  undo: async (context) => {
    // Once delivered, the disk may hold a customer's data: nothing is taken back.
    if (await context.memory.isProven(context.job.serverId, context.job.generation)) return
    // A reinstall keeps what it has; the next try makes the rest.
    if (context.job.payload.kind === 'install') await clear(context)
  },
})

const takeReadiness: Step = {
  name: 'proveLogin',
  label: '确认就绪',
  weight: 15,
  run: ({ job, memory }) => memory.noteProven(job.serverId, job.generation),
}

function provesLogin(payload: JobPayload): boolean {
  return machineOf({ payload }).image.readiness === 'ssh'
}

function awaitBoot(context: JobContext): Promise<void> {
  return untilUp(context, machineOf(context.job), {
    still: '所选系统的镜像无法启动',
    late: '系统未能在限定时间内启动',
  })
}

async function proveLogin(context: JobContext): Promise<void> {
  const { job, memory } = context
  const access = accessOf(machineOf(job))
  const hostKey = await memory.hostKeyOf(job.serverId, job.generation)
  if (hostKey === null) throw new HypervisorError('the host key of this generation is not known')
  await untilLoggedIn(context, { access, password: passwordOf(context), hostKey })
  await memory.noteProven(job.serverId, job.generation)
}

async function clear({ hypervisor, job }: JobContext): Promise<void> {
  const found = await hypervisor.find(job.serverId)
  // Before anything is deleted: nothing could be defined afterwards.
  if (found.nameTaken) throw nameTaken()
  if (found.power === 'on' || found.power === 'unknown') await hypervisor.cutPower(job.serverId)
  await hypervisor.remove(job.serverId)
}

function machineOf({ payload }: { payload: JobPayload }): MachineDescription {
  if (payload.kind === 'install' || payload.kind === 'reinstall' || payload.kind === 'restore') return payload.machine
  throw new Error(`no machine in a ${payload.kind} job`)
}
