import type { GrownNetwork, InGuest, JobPayload } from '@vps/shared/jobs.contract'
import { type NewSize, unlessAway } from '../hypervisor/hypervisor.js'
import { checkAdmitted, checkResized, planResize } from '../plan.js'
import type { Handler, JobContext, Step } from './handler.js'
import { startMachine, stopMachine } from './power.js'

/**
 * Shut down, changed and started, unless its owner had stopped it. Addresses are let through without that, then told to
 * the guest if possible.
 */
export function resize(payload: JobPayload): Handler {
  const network = payload.kind === 'resize' ? payload.network : undefined
  const guest = network ? addressesIn(network) : null
  return {
    steps: [
      { ...stopMachine, weight: 40 },
      {
        name: 'applySize',
        label: '调整配置',
        weight: 30,
        run: (context) => context.hypervisor.resize(context.job.serverId, sizeOf(context)),
      },
      ...(network ? [admitting(network)] : []),
      { ...startMachine, weight: 30 },
      ...(guest ? [guest.step] : []),
    ],
    plan: (context) => new Set([...planResize(sizeOf(context), context.found), 'admitAddresses', 'takeAddresses']),
    check: (context, found) =>
      checkResized(sizeOf(context), found) ?? (network ? checkAdmitted(allOf(network), found) : null),
    proves: () => false,
    tells: () => (guest ? { inGuest: guest.told() } : {}),
    undo,
  }
}

/** The order keeps its old configuration; a grown disk stays. */
async function undo({ hypervisor, job, found: before }: JobContext): Promise<void> {
  const now = await hypervisor.find(job.serverId)
  if (now.power === 'absent' || !before.size) return
  const limit = before.bandwidthMbps
  const isLimited = now.bandwidthMbps?.inbound === limit?.inbound && now.bandwidthMbps?.outbound === limit?.outbound
  if (now.size?.cpuCores !== before.size.cpuCores || now.size.memoryMb !== before.size.memoryMb || !isLimited) {
    await hypervisor.cutPower(job.serverId)
    await hypervisor.resize(job.serverId, { ...before.size, bandwidthMbps: limit?.inbound ?? null })
  }
  // What is defined may not be what holds: always all of it.
  if (job.payload.kind === 'resize' && job.payload.network && before.addresses.length > 0)
    await hypervisor.admitAddresses(job.serverId, before.addresses)
  if (now.autostart) await hypervisor.start(job.serverId)
}

const allOf = ({ addresses, prefixes }: GrownNetwork) => [...addresses.map(({ address }) => address), ...prefixes]

const admitting = (network: GrownNetwork): Step => ({
  name: 'admitAddresses',
  label: '放行 IP 地址',
  weight: 10,
  run: ({ hypervisor, job }) => hypervisor.admitAddresses(job.serverId, allOf(network)),
})

/** A guest agent answers at once, but not just after a start. */
const agentAnswersMs = 10_000
const agentStartsMs = 120_000
const bannerMs = 5000

function addressesIn(network: GrownNetwork): { step: Step; told: () => InGuest } {
  let told: InGuest = { taken: [], answered: [] }
  const take = async ({ hypervisor, job, found, done, signal, limits }: JobContext): Promise<void> => {
    const isStarted = done.has('startMachine') || planResize(sizeOf({ job }), found).has('startMachine')
    const limitMs = isStarted ? Math.min(limits.bootMs, agentStartsMs) : agentAnswersMs
    if (!(await hypervisor.takeAddresses(job.serverId, network, limitMs, signal))) return
    const port = found.access?.port
    const answers = await Promise.all(
      network.added.map(async (address) =>
        port !== undefined && (await hypervisor.testConnection(address, port, bannerMs)) !== null ? [address] : [],
      ),
    )
    told = { taken: network.added, answered: answers.flat() }
  }
  const step: Step = {
    name: 'takeAddresses',
    label: '在系统内添加 IP 地址',
    weight: 10,
    limit: 'own',
    run: (context) =>
      take(context).catch((error: unknown) => {
        unlessAway(error)
        context.signal.throwIfAborted()
      }),
  }
  return { step, told: () => told }
}

function sizeOf({ job }: Pick<JobContext, 'job'>): NewSize {
  if (job.payload.kind !== 'resize') throw new Error(`a ${job.payload.kind} job is not a resize`)
  const { cpuCores, memoryMb, diskGb, bandwidthMbps = null } = job.payload
  return { cpuCores, memoryMb, diskGb, bandwidthMbps }
}
