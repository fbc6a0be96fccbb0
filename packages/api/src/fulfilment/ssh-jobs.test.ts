import * as text from '@vps/shared/text'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { must } from '../must.js'
import { alterDatabase } from '../testing/away.js'
import { openDedicated, type Dedicated } from '../testing/dedicated.js'
import { openVault } from '../vault.js'
import { claimSshJob, runSshJob, runSshJobs } from './ssh-jobs.js'

let shop: Dedicated
beforeEach(async () => void (shop = await openDedicated()))
afterEach(() => shop.close())

const restarts = () => shop.machine.commands.filter((command) => command.includes('reboot')).length

test('a restart that was done while the database was away is told once it is back: the machine was restarted again', async () => {
  await shop.buy()
  await shop.work()
  await shop.lin.post('/server-management/action', { serverId: shop.serverId, action: 'restart' })
  const job = must(await claimSshJob(shop.app.deps, uuidv7()))
  let letGo = () => {}
  shop.machine.wait = new Promise((resolve) => (letGo = resolve))
  const logins = shop.machine.logins()
  const done = runSshJob(shop.app.deps, job)
  await expect.poll(shop.machine.logins).toBeGreaterThan(logins)
  await alterDatabase(shop.app.owner, 'connection limit 0')
  letGo()
  shop.machine.wait = null
  let isOver = false
  void done.catch(() => {}).then(() => (isOver = true))
  const isTried = () => isOver || shop.app.logged().includes('the end of an ssh job could not be told yet')
  await expect.poll(isTried).toBe(true)
  await alterDatabase(shop.app.owner, 'connection limit -1')
  await done
  expect(await shop.jobsNow('SUCCEEDED')).toContainEqual(expect.objectContaining({ id: job.id, attempt: 1 }))
  expect(restarts()).toBe(1)
})

test('the worker does what is asked once it is asked, one after the other, and ends what it has begun before it stops', async () => {
  const worker = runSshJobs(shop.app.deps)
  const act = () => shop.lin.post('/server-management/action', { serverId: shop.serverId, action: 'restart' })
  const done = async () => (await shop.jobsNow('SUCCEEDED')).length
  await shop.buy()
  await expect.poll(done).toBe(1)
  let letGo = () => {}
  shop.machine.wait = new Promise((resolve) => (letGo = resolve))
  const logins = shop.machine.logins()
  expect((await act()).status).toBe(200)
  await expect.poll(shop.machine.logins).toBeGreaterThan(logins)
  let isOver = false
  const stopped = worker.stop().then(() => (isOver = true))
  expect([await done(), isOver]).toEqual([1, false])
  letGo()
  await stopped
  expect([await done(), restarts()]).toEqual([2, 1])
  shop.machine.wait = null
  expect((await act()).status).toBe(200)
  expect(await shop.jobsNow('QUEUED')).toHaveLength(1)
})

test('an act whose password no key opens ends at once and says why: the machine is not asked, and nothing is tried for ever', async () => {
  await shop.buy()
  await shop.work()
  await shop.lin.post('/server-management/action', { serverId: shop.serverId, action: 'restart' })
  const job = must(await claimSshJob(shop.app.deps, uuidv7()))
  const logins = shop.machine.logins()
  await runSshJob({ ...shop.app.deps, vault: openVault(['another secret of APP_SECRET']) }, job)
  const [failed] = await shop.jobsNow('FAILED')
  expect(failed).toMatchObject({ id: job.id, attempt: 1, error: text.unreadablePassword })
  expect([shop.machine.logins(), restarts()]).toEqual([logins, 0])
})
