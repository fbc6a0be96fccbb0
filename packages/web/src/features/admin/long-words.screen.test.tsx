import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field } from '../../testing/act'
import {
  address,
  announcement,
  anyOrder,
  anyPayment,
  category,
  findingsReads,
  group,
  host,
  hostAddress,
  hostReads,
  image,
  imageOnHost,
  incident,
  job,
  migratable,
  pool,
  priceGroup,
  refund,
  server,
  user,
  userAddress,
  userReads,
} from '../../testing/operators-things'
import { drawn, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { id, inDays, pageOf, transaction } from '../../testing/things'

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
  'pools.list': { data: pageOf({ ...pool, name }) },
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
  [
    'a host',
    '/hosts',
    async () => {
      await page.getByRole('button', { name: `编辑 ${host.name}` }).click()
      await expect.element(dialog.getByText(name).first()).toBeVisible()
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

test('who decided on a refund, and when, is read to its end on a narrow phone', async () => {
  const decided = {
    ...refund,
    status: 'REJECTED',
    decision: '已用满 7 天',
    decidedBy: 'admin',
    decidedAt: inDays(0),
  } as const
  await open('/refunds', { 'refunds.list': { data: pageOf(decided) } }, 'admin')
  await page.viewport(305, 640)
  const line = main().getByText(/^admin · /)
  await expect.element(line).toBeVisible()
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = line.element()
  expect([scrollWidth, scrollHeight]).toEqual([clientWidth, clientHeight])
})

const [long, person, sentence] = ['W'.repeat(50), 'w'.repeat(20), 'https://'.padEnd(200, 'w')]
const mail = {
  id: id(141),
  template: 'orderActive',
  subject: sentence,
  address: `${long}@${long}.example.com`,
  status: 'failed',
  error: sentence,
  attempts: 3,
  createdAt: inDays(0),
  triedAt: null,
} as const
const entry = {
  id: id(151),
  at: inDays(0),
  actorId: id(2),
  actorKind: 'user',
  actorName: person,
  address: '203.0.113.9',
  action: 'order.rename',
  subjectKind: 'order',
  subjectId: long,
  subjectName: long,
  details: { name: sentence },
} as const
const onHost = { ...imageOnHost, hostName: 'hk-1', status: 'failed', error: sentence } as const
const lists: [string, Script][] = [
  ['/categories', { 'catalogue.categories': { data: pageOf({ ...category, name: long, description: sentence }) } }],
  [
    '/groups',
    {
      'catalogue.groups': {
        data: pageOf({ ...group, name: long, categoryName: long, location: long, description: sentence }),
      },
    },
  ],
  [
    '/servers',
    {
      'servers.list': {
        data: pageOf({ ...server, name: long, groupName: long, ownerName: person, operatingSystem: long }),
      },
    },
  ],
  [
    '/price-groups',
    {
      'catalogue.priceGroups': {
        data: pageOf(priceGroup({ name: long, serverGroupName: long, description: sentence })),
      },
    },
  ],
  ['/all-orders', { 'orders.all': { data: pageOf(anyOrder({ serverName: long, ownerName: person, osName: long })) } }],
  ['/payments', { 'payments.all': { data: pageOf(anyPayment({ ownerName: person, name: sentence })) } }],
  ['/refunds', { 'refunds.list': { data: pageOf({ ...refund, username: person, reason: sentence }) } }],
  ['/hosts', { 'hosts.list': { data: pageOf({ ...host, name: long, hypervisor: long }) } }],
  ['/images', { 'images.list': { data: pageOf({ ...image, osName: long, file: sentence, hosts: [onHost] }) } }],
  ['/ip-pools', { 'pools.list': { data: pageOf({ ...pool, name: long, bridge: 'w'.repeat(15), hosts: [long] }) } }],
  [
    '/jobs',
    {
      'jobs.list': {
        data: pageOf(
          job({ status: 'FAILED', serverName: long, hostName: 'w'.repeat(30), by: person, error: sentence }),
        ),
      },
    },
  ],
  ['/findings', findingsReads({ hostName: long, ownerName: person, subject: sentence, details: { path: sentence } })],
  ['/users', { 'users.list': { data: pageOf({ ...user, username: person, email: `${long}@${long}.example.com` }) } }],
  ['/announcements', { 'announcements.list': { data: pageOf({ ...announcement, title: sentence, groupName: long }) } }],
  ['/incidents', { 'status.incidents': { data: pageOf({ ...incident, title: sentence, services: [long, long] }) } }],
  ['/audit', { 'audit.list': { data: pageOf(entry) } }],
  [
    `${userAddress}?part=wallet`,
    { ...userReads, 'wallet.transactionsOf': { data: pageOf({ ...transaction, description: sentence }) } },
  ],
  [`${userAddress}?part=mails`, { ...userReads, 'mails.list': { data: pageOf(mail) } }],
  [
    `${hostAddress}?part=addresses`,
    {
      ...hostReads,
      'hosts.addresses': { data: pageOf({ ...address, state: 'used', serverName: long.repeat(2), orderId: id(11) }) },
    },
  ],
  [
    `${hostAddress}?part=images`,
    { ...hostReads, 'images.list': { data: pageOf({ ...image, osName: long, file: sentence, hosts: [onHost] }) } },
  ],
  [
    `${hostAddress}?part=migrations`,
    {
      ...hostReads,
      'migrations.list': { data: [migratable(1, { serverName: long, ownerName: person, stays: sentence })] },
    },
  ],
]

async function openList(at: string, read: Script): Promise<void> {
  await open(at, { ...reads, ...read }, 'admin')
  await expect
    .element(
      main()
        .getByText(/W{20}|w{20}/)
        .first(),
    )
    .toBeInTheDocument()
  await drawn()
}

test.each(lists)('no word of anybody’s pushes the acts of %s out of sight', async (at, read) => {
  await openList(at, read)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
  expect(runOver().map((one) => one.outerHTML.slice(0, 80))).toEqual([])
})

test.each([
  ['/servers', { 'servers.list': { data: pageOf({ ...server, name: long, hostId: host.id, hostName: host.name }) } }],
  ['/findings', findingsReads({ serverName: long })],
] as const)('a server’s long name in %s and the link to its host are two lines', async (at, read) => {
  await openList(at, read)
  for (const width of [1440, 390]) {
    await page.viewport(width, 900)
    await drawn()
    const line = main().getByRole('link', { name: host.name }).element().closest('small')
    expect(line?.scrollHeight).toBeLessThanOrEqual(48)
  }
})

/** What is cut after two lines is read whole in its title, or in one around it. */
test.each(lists)('what %s cuts of anybody’s words stands whole in a title', async (at, read) => {
  await openList(at, read)
  await page.viewport(390, 844)
  await drawn()
  expect(cutForGood().map((one) => one.outerHTML.slice(0, 120))).toEqual([])
})

const cutForGood = () =>
  [...document.querySelectorAll<HTMLElement>('main *')].filter(
    (one) =>
      getComputedStyle(one).webkitLineClamp !== 'none' &&
      one.scrollHeight > one.clientHeight + 1 &&
      !one.closest('[title]')?.getAttribute('title')?.includes(one.textContent.trim()) &&
      !one.querySelector('[title]'),
  )

/** Cells whose words lie over the next. */
const runOver = () => [...document.querySelectorAll('td')].filter((one) => one.scrollWidth > one.clientWidth + 1)
