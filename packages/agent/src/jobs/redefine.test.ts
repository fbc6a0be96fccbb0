import { randomUUID } from 'node:crypto'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { expect, test } from 'vitest'
import { install, password, setUpJobs, watch } from '../testing/jobs.js'
import { machine } from '../testing/machines.js'

const jobs = setUpJobs()
const { run, host, found, faults, logIn } = jobs
const anew = (start: boolean, more: { earlierNumber?: number } = {}): JobPayload => ({
  kind: 'redefine',
  machine: machine({ memoryMb: 1024 }),
  start,
  ...more,
})

async function undefine(): Promise<void> {
  faults({ verb: 'inventory', kind: 'undefine', serverId: jobs.serverId })
  const real = host()
  await real.inventory()
  await real.removeSeed(jobs.serverId)
}

test('a machine whose definition is gone comes back over its own disk, with all that is on it', async () => {
  await run(install)
  await undefine()
  expect((await found()).power).toBe('absent')
  expect((await run(anew(true))).result).toEqual({ ok: true, power: 'on', proven: false })
  expect(await found()).toMatchObject({ autostart: true, size: { memoryMb: 1024, diskGb: 2 } })
  await logIn(password)
})

test('a machine that is not to run is defined and left off', async () => {
  await run(install)
  await undefine()
  const { hypervisor, acts } = watch(host())
  expect((await run(anew(false), { hypervisor })).result).toMatchObject({ ok: true, power: 'off' })
  expect(acts).toEqual(['define'])
})

test('one that runs and comes back is defined anew and not started', async () => {
  await run(install)
  const { hypervisor, acts } = watch(host())
  expect((await run(anew(true), { hypervisor })).result).toMatchObject({ ok: true, power: 'on' })
  expect(acts).toEqual(['define'])
})

test('without the disk of its generation nothing is defined, for good', async () => {
  await run(install)
  const { hypervisor, acts } = watch(host())
  const { result } = await run(anew(true), { generation: 2, hypervisor })
  expect(result).toMatchObject({ ok: false, final: true, message: '磁盘已不存在，无法重新定义' })
  expect(acts).toEqual([])
})

test('a machine whose restore failed comes back over the disk that it has', async () => {
  await run(install)
  const lost = { kind: 'restore', backupId: randomUUID(), machine: machine(), hostKey: null } as const
  expect((await run(lost, { generation: 2 })).result).toMatchObject({ ok: false })
  await undefine()
  expect((await run(anew(true, { earlierNumber: 1 }), { generation: 2 })).result).toMatchObject({
    ok: true,
    power: 'on',
  })
  expect(await found()).toMatchObject({ definedBy: { number: 1 }, disks: [{ number: 1 }] })
  await logIn(password)
})

test('a name that another machine has by now is left to it', async () => {
  await run(install)
  const real = host()
  const { hypervisor, acts } = watch(real, { find: async (id) => ({ ...(await real.find(id)), nameTaken: true }) })
  expect((await run(anew(true), { hypervisor })).result).toMatchObject({ ok: false, final: true })
  expect(acts).toEqual([])
})

test('a definition that was not taken is found out', async () => {
  await run(install)
  await undefine()
  faults({ verb: 'define', kind: 'lie' })
  expect((await run(anew(false))).result).toHaveProperty(
    'detail',
    expect.stringContaining('the definition is not the one that was made'),
  )
})
