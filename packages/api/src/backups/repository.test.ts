import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockWaits, whileLocked } from '../testing/locks.js'
import { openStaffedShop } from '../testing/sale.js'

let shop: Awaited<ReturnType<typeof openStaffedShop>>
beforeEach(async () => void (shop = await openStaffedShop()))
afterEach(() => shop.app.close())

const view = async () => (await shop.admin.get('/backup-repository')).body.data
const save = (url: string, version: number) =>
  shop.admin.put('/backup-repository', { url, password: 'Keeps-them-1', version })

/** Both have read before either writes. */
async function saveBoth(version: number) {
  const { app } = shop
  const saves: ReturnType<typeof save>[] = []
  await whileLocked(app.owner, sql`lock table backup_repositories in share mode`, async () => {
    saves.push(save('/srv/one', version), save('/srv/two', version))
    await expect.poll(() => lockWaits(app.owner)).toBe(2)
  })
  return Promise.all(saves)
}

test.each([
  ['the first settings', async () => {}],
  [
    'settings after a clearing',
    async () => {
      await save('/srv/before', 0)
      await shop.admin.post('/backup-repository/clear', { version: 1 })
    },
  ],
])('of two that save %s at once the later is told of the other’s, which stay', async (_what, prepare) => {
  await prepare()
  const replies = await saveBoth((await view()).version)
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const won = replies.findIndex(({ status }) => status === 200)
  expect((await view()).url).toBe(['/srv/one', '/srv/two'][won])
})

test('what the storage was, and is, stands in the audit log where its screen looks for it', async () => {
  await save('/srv/one', 0)
  shop.app.advance(1000)
  await save('/srv/two', 1)
  shop.app.advance(1000)
  expect((await shop.admin.post('/backup-repository/clear', { version: 2 })).status).toBe(200)
  const { content } = (await shop.admin.get('/audit?action=backup-repository.save')).body.data
  expect(content.map(({ details }: { details: unknown }) => details)).toMatchObject([
    { before: { url: '/srv/two' }, after: { url: null } },
    { before: { url: '/srv/one' }, after: { url: '/srv/two' } },
    { before: { url: null }, after: { url: '/srv/one' } },
  ])
})
