import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { must } from '../must.js'
import { alterDatabase } from '../testing/away.js'
import { openDedicated, type Dedicated } from '../testing/dedicated.js'
import { claimSshJob, runSshJob } from './ssh-jobs.js'

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
