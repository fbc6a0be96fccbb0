import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field } from '../../testing/act'
import { category, findingsReads, group, host, job } from '../../testing/operators-things'
import { open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { pageOf } from '../../testing/things'

const name = 'network'.repeat(14)
const word = 'qcow2'.repeat(40)

/** What is pushed aside where it does not fit. */
const pushed = () =>
  [...document.querySelectorAll('[role=dialog], [role=dialog] *')].filter(
    (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto',
  )

afterEach(() => page.viewport(1440, 900))

const reads: Script = {
  'catalogue.categories': { data: pageOf({ ...category, name }) },
  'catalogue.groups': { data: pageOf({ ...group, categoryId: category.id, categoryName: name }) },
  'jobs.list': { data: pageOf(job({ status: 'FAILED', error: word, detail: word, serverName: word.slice(0, 100) })) },
  ...findingsReads({ hostName: word.slice(0, 100) }),
  'hosts.list': { data: pageOf(host) },
}

test.each([
  [
    'a group in a category',
    '/groups',
    async () => {
      await page.getByRole('button', { name: `编辑 ${group.name}` }).click()
      await expect.element(field('所属分类')).toHaveTextContent(name)
    },
  ],
  ['a job', '/jobs', () => page.getByRole('button', { name: '重启', exact: true }).first().click()],
  ['a finding', '/findings', () => page.getByRole('main').getByRole('button', { name: '处理' }).first().click()],
])('the dialog of %s with a long name stays within a phone', async (_what, at, reach) => {
  await open(at, reads, 'admin')
  await reach()
  await expect.element(dialog).toBeVisible()
  await page.viewport(320, 640)
  expect(pushed().map((one) => one.outerHTML.slice(0, 80))).toEqual([])
})

test('what is chosen in a list stays in its field, however long', async () => {
  const long = '香港直连精品网络节点'.repeat(8)
  const found = { ...category, name: long }
  await open('/groups', { ...reads, 'catalogue.categories': { data: pageOf(found) } }, 'admin')
  await page.viewport(390, 844)
  await page.getByRole('button', { name: `编辑 ${group.name}` }).click()
  await expect.element(field('所属分类')).toHaveTextContent(long)
  const { scrollHeight, clientHeight } = field('所属分类').element()
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight + 1)
})
