import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload, JobResult, JobStep } from '@vps/shared/jobs.contract'
import { noFirewall } from '@vps/shared/firewall'
import { maxAttempts } from '@vps/shared/jobs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { killingAt, makeHostFolder, patient, putFaultyVirsh, settingsOf, virsh } from './host.js'

/**
 * Every kind of job while virsh misbehaves or libvirtd is killed. Machines are ready once they run: no guest is waited
 * for.
 */

const folder = makeHostFolder()
const faultFile = '/run/virsh-fault'
let hypervisor: Hypervisor
let takeAway = async () => {}
let serverId: string

beforeAll(async () => {
  const disc = path.join(folder.folder, 'disc')
  mkdirSync(disc)
  await run('genisoimage', ['-quiet', '-o', path.join(folder.imagesDir, image.file), disc])
  takeAway = await putFaultyVirsh(folder)
  hypervisor = openVirsh({ ...settingsOf(folder), virshTimeoutMs: 5000 })
  await hypervisor.open()
})
afterAll(() => takeAway())
beforeEach(() => {
  serverId = randomUUID()
})
// A machine that a failed test left is not the next one's.
afterEach(async () => {
  writeFileSync(faultFile, '')
  await perform('destroy')
})

const limits = { ...patient, loginMs: 1000, graceMs: 500, pollMs: 100 }
const [snapshotId, rescueId, isoId] = [randomUUID(), randomUUID(), randomUUID()]
const description = machine({ image: { ...machine().image, readiness: 'none' } })
const image = { ...description.image, file: 'disc.iso' }
const jobs = {
  install: { kind: 'install', machine: description },
  start: { kind: 'start' },
  stop: { kind: 'stop', force: true, graceSeconds: 0 },
  restart: { kind: 'restart' },
  resize: { kind: 'resize', cpuCores: 2, memoryMb: 640, diskGb: 3 },
  redefine: { kind: 'redefine', machine: description, start: true },
  snapshot: { kind: 'snapshot', snapshotId },
  revert: { kind: 'revert', snapshotId },
  deleteSnapshot: { kind: 'deleteSnapshot', snapshotId },
  enterRescue: { kind: 'enterRescue', rescueId, machine: description },
  leaveRescue: { kind: 'leaveRescue', start: true },
  insertIso: { kind: 'insertIso', isoId, image, boots: false },
  bootIso: { kind: 'insertIso', isoId, image, boots: true },
  ejectIso: { kind: 'ejectIso' },
  applyFirewall: { kind: 'applyFirewall', revision: 1, firewall: { ...noFirewall, enabled: true } },
  destroy: { kind: 'destroy' },
} as const satisfies Record<string, JobPayload>

/** As often as the API hands it out: again after a passing failure, on what the last try left. */
async function perform(
  kind: keyof typeof jobs,
  through: Hypervisor = hypervisor,
  tries = maxAttempts,
): Promise<JobResult> {
  const job: ClaimedJob = {
    id: randomUUID(),
    serverId,
    attempt: 1,
    leaseSeconds: 40,
    generation: { epoch: 1, number: 1 },
    payload: jobs[kind],
    secrets: { password: 'Never-Used-3x' },
  }
  const deps = {
    hypervisor: through,
    presence: quietPresence(through),
    memory: openMemory(folder.stateDir),
    limits,
  }
  let result: JobResult | null = null
  for (let attempt = 1; attempt <= tries && !(result?.ok || result?.final); attempt++) {
    const steps: JobStep[] = []
    result = await runJob({ ...job, attempt }, steps, deps, new AbortController().signal, async () => {})
  }
  return result!
}

/** Read past the agent. `act`: which one, and how it was disturbed. */
async function expectEnd(kind: keyof typeof jobs, act: string = kind): Promise<void> {
  const files = readdirSync(folder.storageDir).filter((name) => name.startsWith(serverId))
  if (kind === 'destroy') {
    expect(await virsh(['list', '--all', '--uuid'])).not.toContain(serverId)
    expect(files).toEqual([])
    return
  }
  const state = (await virsh(['domstate', '--reason', serverId])).trim()
  const log = path.join('/var/log/libvirt/qemu', `${(await virsh(['domname', serverId])).trim()}.log`)
  const told = `after ${act} it is ${state}; QEMU said:\n${readFileSync(log, 'utf8').slice(-1000)}`
  expect(state.split(' (')[0], told).toBe(kind === 'stop' ? 'shut off' : 'running')
  expect((await virsh(['list', '--all', '--autostart', '--uuid'])).includes(serverId)).toBe(kind !== 'stop')
  const rescue = kind === 'enterRescue' ? [`${serverId}.${rescueId}.rescue.qcow2`] : []
  const disks = files.filter((name) => !/\.(serial\.log|firewall\.nft)$/.test(name)).toSorted()
  expect(disks).toEqual([`${serverId}.1.1.qcow2`, ...rescue].toSorted())
  if (kind === 'snapshot' || kind === 'deleteSnapshot') {
    const { snapshots } = await hypervisor.find(serverId)
    expect(snapshots).toEqual(kind === 'snapshot' ? [snapshotId] : [])
  }
  if (kind.endsWith('Iso')) {
    const views = [await virsh(['dumpxml', serverId]), await virsh(['dumpxml', '--inactive', serverId])]
    expect(views.map((xml) => xml.includes('/disc.iso'))).toEqual(views.map(() => kind !== 'ejectIso'))
    expect(views[1]!.includes("<boot dev='cdrom'/>")).toBe(kind === 'bootIso')
  }
  if (kind !== 'resize') return
  expect(await virsh(['dumpxml', '--inactive', serverId])).toContain("<vcpu placement='static'>2</vcpu>")
}

/** Every act on libvirt goes wrong once; nothing is armed without a verb. */
const life: [kind: keyof typeof jobs, verb: string | null][] = [
  ['install', 'define'],
  ['destroy', 'destroy'],
  ['install', 'start'],
  ['destroy', 'undefine'],
  ['install', 'domstats'],
  ['stop', 'destroy'],
  ['start', 'start'],
  ['stop', 'list'],
  ['start', 'autostart'],
  ['restart', 'shutdown'],
  ['resize', 'define'],
  ['redefine', 'dumpxml'],
  ['redefine', 'define'],
  ['applyFirewall', 'dumpxml'],
  ['snapshot', 'qemu-monitor-command'],
  ['revert', 'destroy'],
  ['revert', 'define'],
  ['deleteSnapshot', 'qemu-monitor-command'],
  ['enterRescue', 'define'],
  ['leaveRescue', 'dumpxml'],
  ['enterRescue', 'start'],
  ['leaveRescue', 'define'],
  ['insertIso', 'change-media'],
  ['ejectIso', 'change-media'],
  ['insertIso', 'define'],
  ['ejectIso', 'dumpxml'],
  ['bootIso', 'start'],
  ['ejectIso', 'define'],
  ['snapshot', 'dumpxml'],
  ['destroy', null],
]

/** Time-outs take their time, and do the same at every act. */
const shortLife: typeof life = [
  ['install', 'define'],
  ['destroy', 'undefine'],
  ['install', 'start'],
  ['resize', 'dumpxml'],
  ['snapshot', 'qemu-monitor-command'],
  ['revert', 'define'],
  ['deleteSnapshot', 'qemu-monitor-command'],
  ['enterRescue', 'define'],
  ['leaveRescue', 'define'],
  ['insertIso', 'change-media'],
  ['ejectIso', 'change-media'],
  ['stop', 'destroy'],
  ['destroy', null],
]

test.each([
  ['hangs', shortLife],
  ['answers late', shortLife],
  ['floods', shortLife.slice(0, 2)],
  ['lies', life],
  ['speaks another language', shortLife],
] as const)('a virsh that %s, once at each act, changes nothing of how a machine’s life ends', async (fault, acts) => {
  for (const [kind, verb] of acts) {
    if (verb !== null) writeFileSync(faultFile, `${verb} ${fault}\n`)
    const result = await perform(kind)
    expect(result, `${kind} while ${verb} ${fault}: ${JSON.stringify(result)}`).toMatchObject({ ok: true })
    if (verb !== null) expect(readFileSync(faultFile, 'utf8'), `${kind} has not met ${verb}`).toBe('')
    await expectEnd(kind, `${kind}, in which ${verb} ${fault}`)
  }
})

test('a domain whose definition cannot be read is told as such, and the others as ever', async () => {
  const servers = [randomUUID(), randomUUID()]
  for (const one of servers) {
    serverId = one
    expect(await perform('install')).toMatchObject({ ok: true })
  }
  writeFileSync(faultFile, 'dumpxml lies\n')
  const { domains } = await hypervisor.inventory()
  expect(domains.map(({ uuid }) => uuid).toSorted()).toEqual(servers.toSorted())
  expect(domains.map(({ generation }) => generation?.number ?? 'unreadable').toSorted()).toEqual([1, 'unreadable'])
  for (const one of servers) {
    serverId = one
    expect(await perform('destroy')).toMatchObject({ ok: true })
  }
})

describe('libvirtd killed with kill -9', () => {
  // No virsh hangs here, and one that is late would cost a try.
  beforeAll(() => {
    hypervisor = openVirsh(settingsOf(folder))
  })
  const verbs: [kind: keyof typeof jobs, verbs: (keyof Hypervisor)[]][] = [
    [
      'install',
      ['verifyImage', 'createDisk', 'createSeed', 'define', 'start', 'setAutostart', 'awaitBoot', 'removeSeed'],
    ],
    ['stop', ['cutPower', 'setAutostart']],
    ['start', ['start', 'setAutostart']],
    ['restart', ['askShutdown', 'cutPower', 'start']],
    ['resize', ['askShutdown', 'resize', 'start']],
    ['redefine', ['define']],
    ['enterRescue', ['createRescue', 'askShutdown', 'enterRescue', 'start', 'removeSeed']],
    ['leaveRescue', ['askShutdown', 'leaveRescue', 'start']],
    ['bootIso', ['verifyImage', 'insertIso', 'askShutdown', 'start']],
    ['ejectIso', ['ejectIso']],
    ['destroy', ['cutPower', 'remove']],
  ]

  test('at each act of each kind of job costs no try, and each ends as without it', async () => {
    for (const [kind, acts] of verbs) {
      const killed = killingAt(hypervisor, acts)
      const result = await perform(kind, killed.hypervisor, 1)
      expect(result, `${kind}: ${JSON.stringify(result)}`).toMatchObject({ ok: true })
      await expectEnd(kind)
      expect(killed.left(), `${kind} has not met them`).toEqual([])
    }
  })
})
