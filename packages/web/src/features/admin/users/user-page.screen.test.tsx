import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { pressOn } from '../../../testing/act'
import { note, user, userAddress, userReads } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../../testing/screen'
import { id, inDays, pageOf, row, transaction } from '../../../testing/things'

const partLink = (name: string) =>
  page.getByRole('navigation', { name: '客户的各部分' }).getByRole('link', { name, exact: true })
const at = (part: string) => `${userAddress}?part=${part}`

describe('the page of a customer', () => {
  test('has the name as its heading, the address, the state, the balance, and the orders first', async () => {
    await open(userAddress, userReads, 'admin')
    await expect.element(page.getByRole('heading', { level: 1, name: user.username })).toBeVisible()
    await expect.element(main().getByText(user.email)).toBeVisible()
    await expect.element(main().getByText('正常', { exact: true })).toBeVisible()
    await expect.element(main().getByText('¥1,000.00')).toBeVisible()
    await expect.element(partLink('订单')).toHaveAttribute('aria-current', 'page')
    await expect.element(main().getByText(row().orderNumber)).toBeVisible()
    expect(await callsOf('orders.all')).toMatchObject([{ userId: user.id }])
    await expectSoundEverywhere()
  })

  test('leads back to the list as it was left, also from another of its parts', async () => {
    await open('/users?q=de&size=20', { ...userReads, 'users.list': { data: pageOf(user) } }, 'admin')
    await main().getByRole('link', { name: user.username, exact: true }).click()
    await partLink('备注').click()
    await expect.poll(() => location.search).toBe('?part=notes')
    await page.getByRole('link', { name: '返回' }).click()
    await expect.poll(() => location.pathname + location.search).toBe('/users?q=de&size=20')
    await expect.element(page.getByRole('searchbox')).toHaveValue('de')
  })

  test('writes to the address that the customer has, whatever signs are in it', async () => {
    const email = "a?bcc=b&c%0Ad'e@example.com"
    await open(userAddress, { ...userReads, 'users.get': { data: { ...user, email } } }, 'admin')
    const link = main().getByRole('link', { name: email })
    await expect.element(link).toHaveAttribute('href', "mailto:a%3Fbcc%3Db%26c%250Ad'e@example.com")
  })

  test.each([
    ['servers', '服务器', 'servers.list'],
    ['payments', '支付记录', 'payments.all'],
    ['audit', '审计日志', 'audit.list'],
    ['wallet', '钱包流水', 'wallet.transactionsOf'],
    ['devices', '登录设备', 'users.devices'],
    ['notes', '备注', 'users.notes'],
  ] as const)('shows %s of this customer alone, at an address of its own', async (part, name, read) => {
    await open(userAddress, userReads, 'admin')
    await partLink(name).click()
    await expect.element(partLink(name)).toHaveAttribute('aria-current', 'page')
    expect(location.search).toBe(`?part=${part}`)
    await expect.poll(() => callsOf(read)).toMatchObject([{ userId: user.id }])
    await expectSoundEverywhere()
  })

  test('says that a mail did not arrive, and leads to what the mail server said', async () => {
    const mail = {
      id: id(140),
      address: user.email,
      template: 'orderExpiring' as const,
      subject: '服务器即将到期',
      status: 'failed' as const,
      attempts: 3,
      error: '550 mailbox unavailable',
      createdAt: inDays(-1),
      triedAt: inDays(0),
    }
    await open(userAddress, { ...userReads, 'mails.list': { data: pageOf(mail) } }, 'admin')
    await expect.element(main().getByText('1 封邮件没有送达这位客户。')).toBeVisible()
    await expectSoundEverywhere()
    await main().getByRole('link', { name: '查看详情' }).click()
    await expect.element(partLink('邮件')).toHaveAttribute('aria-current', 'page')
    await expect.element(main().getByText('550 mailbox unavailable')).toBeVisible()
    expect(location.search).toBe('?part=mails&status=failed')
    expect((await callsOf('mails.list')).at(-1)).toMatchObject({ userId: user.id, status: 'failed', size: 10 })
    await expectSoundEverywhere()
  })

  test('has a mail of a later version by its word', async () => {
    const mail = {
      id: id(141),
      address: user.email,
      template: JSON.parse('"ofLater"'),
      subject: null,
      status: 'queued' as const,
      attempts: 0,
      error: null,
      createdAt: inDays(0),
      triedAt: null,
    }
    await open(at('mails'), { ...userReads, 'mails.list': { data: pageOf(mail) } }, 'admin')
    await expect.element(main().getByText('ofLater').first()).toBeVisible()
    expect(main().getByText('ofLater').elements()).toHaveLength(2)
  })

  test('says what could not be read, and reads again on request', async () => {
    await open(userAddress, { ...userReads, 'users.get': { refused: 'INTERNAL' } }, 'admin')
    await expect.element(main().getByText('加载用户失败')).toBeVisible()
    await answer(userReads)
    await pressOn('重试')
    await expect.element(page.getByRole('heading', { level: 1, name: user.username })).toBeVisible()
  })

  test.each([
    ['wallet', 'wallet.transactionsOf', '加载钱包流水失败', '暂无钱包流水'],
    ['notes', 'users.notes', '加载备注失败', '暂无备注'],
    ['mails', 'mails.list', '加载邮件失败', '暂无邮件'],
  ] as const)('says of %s what could not be read, and that nothing is there', async (part, read, failed, empty) => {
    await open(at(part), { ...userReads, [read]: { refused: 'INTERNAL' } }, 'admin')
    await expect.element(main().getByText(failed)).toBeVisible()
    await answer({ ...userReads, [read]: { data: pageOf() } })
    await pressOn('重试')
    await expect.element(main().getByText(empty)).toBeVisible()
    await expectSoundEverywhere()
  })

  test('has what came into the wallet and what went with its sign, and what did not come as such', async () => {
    const paid = { type: 'ORDER_PAYMENT', amount: 67.15, balanceBefore: 200, balanceAfter: 132.85 } as const
    const entries = [
      transaction,
      { ...transaction, id: id(32), ...paid },
      { ...transaction, id: id(33), status: 'FAILED', balanceBefore: null, balanceAfter: null } as const,
    ]
    await open(at('wallet'), { ...userReads, 'wallet.transactionsOf': { data: pageOf(...entries) } }, 'admin')
    const line = (n: number) => main().getByRole('row').nth(n)
    await expect.element(line(1)).toMatchTextContent('+¥200.00')
    await expect.element(line(2)).toMatchTextContent('-¥67.15')
    await expect.element(line(2)).toMatchTextContent('¥132.85')
    await expect.element(line(3)).toMatchTextContent('充值（失败）')
  })

  test('keeps notes with who wrote them', async () => {
    await open(at('notes'), userReads, 'admin')
    await expect.element(main().getByText(note.body)).toBeVisible()
    await expect.element(main().getByText(note.authorName)).toBeVisible()
  })
})
