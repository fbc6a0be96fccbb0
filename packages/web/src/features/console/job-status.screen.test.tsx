import { expect, test } from 'vitest'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { expectSoundEverywhere, main, open } from '../../testing/screen'
import { details, endedJob, id, inDays } from '../../testing/things'

const waiting = '尚未开始，等待接手'
const job = { ...endedJob('restart'), id: id(90), finishedAt: null, createdAt: inDays(-1) }
const busy = { ...consoleReads, 'console.details': { data: details({ openJob: { id: id(90), kind: 'restart' } }) } }

test('an act that nobody has begun says that it waits: a silent host takes none', async () => {
  await open(consoleAddress, { ...busy, 'jobs.get': { data: { ...job, status: 'QUEUED', startedAt: null } } })
  await expect.element(main().getByText('正在重启')).toBeVisible()
  await expect.element(main().getByText(waiting)).toBeVisible()
  await expectSoundEverywhere()
})

test('an act that is being done does not say that it waits', async () => {
  await open(consoleAddress, { ...busy, 'jobs.get': { data: { ...job, status: 'RUNNING', startedAt: inDays(-1) } } })
  await expect.element(main().getByText('正在重启')).toBeVisible()
  expect(main().getByText(waiting).elements()).toEqual([])
})
