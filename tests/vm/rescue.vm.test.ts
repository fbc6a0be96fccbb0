import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import type { ClaimedJob } from '@vps/shared/agent.contract'
import type { JobPayload, MachineDescription } from '@vps/shared/jobs.contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import { rescueContract, type WithRescue } from '../../packages/agent/src/testing/rescue-contract.js'
import { endless, filesHolding, machineAt, makeHostFolder, patient, rescueImage, settingsOf, sshLogin } from './host.js'

/** Rescue: the seam's contract, and the jobs killed at each act. */

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const once = 'Rescue-Once-9'
const made = { epoch: 1, number: 1 }
let hypervisor: Hypervisor

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
  copyFileSync(rescueImage(), `${folder.imagesDir}/rescue.qcow2`)
})

async function perform(
  serverId: string,
  payload: JobPayload,
  through = hypervisor,
  id = randomUUID(),
  within = patient,
) {
  const secrets = { password: payload.kind === 'enterRescue' ? once : password }
  const job: ClaimedJob = { id, serverId, attempt: 1, leaseSeconds: 40, generation: made, payload, secrets }
  const memory = openMemory(folder.stateDir)
  const deps = { hypervisor: through, presence: quietPresence(through), memory, limits: within }
  return runJob(job, [], deps, new AbortController().signal, async () => {})
}

const rescueOf = (description: MachineDescription): MachineDescription => ({
  ...description,
  image: { ...description.image, file: 'rescue.qcow2' },
  hostname: 'rescue',
})

/** Until its login is proven. */
async function install(number: number): Promise<{ serverId: string; description: MachineDescription }> {
  const serverId = randomUUID()
  const description = machineAt(number)
  const result = await perform(serverId, { kind: 'install', machine: description })
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  return { serverId, description }
}

describe('the contract of the seam', () => {
  let installed: WithRescue
  beforeAll(async () => {
    const { serverId, description } = await install(2)
    const hostKey = (await openMemory(folder.stateDir).hostKeyOf(serverId, made))!
    installed = {
      hypervisor,
      serverId,
      password,
      access: accessOf(description),
      hostKey,
      machine: description,
      rescueMachine: rescueOf(description),
    }
  })
  rescueContract(() => installed)
})

describe('as a customer sees it', () => {
  let serverId: string
  let enter: JobPayload
  const rescueId = randomUUID()
  const leave: JobPayload = { kind: 'leaveRescue', start: true }
  const inside = (secret: string, command: string) => sshLogin('10.77.0.3', 2222, secret, command)
  beforeAll(async () => {
    const { serverId: id, description } = await install(3)
    serverId = id
    enter = { kind: 'enterRescue', rescueId, machine: rescueOf(description) }
  })

  test('a file on a machine that nobody can log in to is changed in rescue, and read after leaving', async () => {
    await inside(password, 'echo broken > /root/file; sync')
    expect(await perform(serverId, enter)).toEqual({ ok: true, power: 'on', proven: true })
    expect(await inside(once, 'hostname; ls /root; cat /sys/block/vdb/serial')).toBe('rescue\nsystem')
    await inside(once, 'mount /dev/vdb1 /mnt && cat /mnt/root/file && echo mended > /mnt/root/file && umount /mnt')
    await expect(inside(password, 'true')).rejects.toThrow('Permission denied')
    expect(await perform(serverId, leave)).toEqual({ ok: true, power: 'on', proven: true })
    expect(await inside(password, 'cat /root/file; ls /sys/block | grep -c vd')).toBe('mended\n1')
    expect(filesHolding(once, folder.folder)).toEqual([])
  })

  test('the agent killed with kill -9 at each act in turn changes nothing of the end, nor does it cost the rescue system', async () => {
    const acts: [JobPayload, (keyof Hypervisor)[]][] = [
      [enter, ['createRescue', 'enterRescue', 'start', 'removeSeed']],
      [leave, ['leaveRescue', 'start']],
    ]
    for (const [payload, verbs] of acts) {
      const id = randomUUID()
      for (const verb of verbs) {
        const killed = freezeAt(hypervisor, verb, 'after')
        await killed.reachedIn(perform(serverId, payload, killed.hypervisor, id, endless))
      }
      const result = await perform(serverId, payload, hypervisor, id)
      expect(result, JSON.stringify(result)).toEqual({ ok: true, power: 'on', proven: true })
      expect(await hypervisor.find(serverId)).toMatchObject({
        rescueId: payload === enter ? rescueId : null,
        seeds: [],
      })
    }
  })

  test('destroyed in rescue it leaves nothing', async () => {
    expect(await perform(serverId, enter)).toMatchObject({ ok: true })
    expect(await perform(serverId, { kind: 'destroy' })).toMatchObject({ ok: true, power: 'absent' })
    const { volumes } = await hypervisor.inventory()
    expect(volumes.filter(({ name }) => name.startsWith(serverId))).toEqual([])
  })
})
