import type { OsOption } from '@vps/shared/catalogue.contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field, pressOn } from '../../testing/act'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { category, group, id, inDays, offer, order } from '../../testing/things'

const unpaid = order({ status: 'PENDING', serverId: null, server: null, paidAt: null, expiresAt: null })
const shop: Script = {
  'shop.categories': { data: [category] },
  'shop.groups': { data: [group] },
  'shop.priceGroups': { data: [offer()] },
  'accounts.sshKeys': { data: [] },
}
const somebody = {
  token: 'a token',
  id: id(1),
  username: 'somebody_new',
  email: 'somebody@example.com',
  role: 'USER',
  isAdmin: false,
  createdAt: inDays(0),
} as const
const { token: _, ...profile } = somebody
const signedIn: Script = {
  ...shop,
  'accounts.me': { data: profile },
  'accounts.register': { data: somebody },
  'accounts.signIn': { data: somebody },
  'orders.place': { data: unpaid },
  'orders.get': { data: unpaid },
  'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } },
}
const buy = main().getByRole('complementary', { name: '订单摘要' }).getByRole('button', { name: '立即购买' })
const heading = page.getByRole('heading', { level: 1 })
const payDialog = page.getByRole('dialog', { name: '支付订单' })

async function chooseAsVisitor(): Promise<void> {
  await open('/sales', signedIn, 'visitor')
  await page.getByRole('radio', { name: '按年' }).click({ force: true })
  await field('初始密码').fill('Anfangs-1x')
  await field('SSH端口').fill('2222')
  await main().getByRole('button', { name: '增加数量' }).click()
  await buy.click()
}

async function register(): Promise<void> {
  await field('用户名').fill('somebody_new')
  await field('邮箱').fill('somebody@example.com')
  await field('密码').fill('Geheim-123')
  await field('确认密码').fill('Geheim-123')
  await pressOn('注册')
}

test('a new customer registers with what was chosen kept, and comes back to the dialog that pays it', async () => {
  await chooseAsVisitor()
  await expect.element(heading).toMatchTextContent('注册')
  expect(new URLSearchParams(location.search).get('form')).toBe('register')
  await expect.element(main().getByText('所选配置已保留，注册后直接付款')).toBeVisible()
  await register()
  await expect.element(payDialog).toBeVisible()
  const chosen = { billingPeriod: 'ANNUAL', initialPassword: 'Anfangs-1x', sshPort: 2222, quantity: 2 }
  expect(await callsOf('orders.place')).toEqual([expect.objectContaining(chosen)])
  expect(location.pathname + location.search).toBe(`/sales?group=${group.id}&pay=${unpaid.id}`)
  expect(await callsOf('orders.pay')).toEqual([])
  expect(sessionStorage.getItem('draft')).toBeNull()
})

test('whoever had a session here before signs in first, registers on request, and comes back alike', async () => {
  localStorage.setItem('met-before', 'yes')
  await chooseAsVisitor()
  await expect.element(heading).toMatchTextContent('登录')
  await expect.element(main().getByText('所选配置已保留，登录后直接付款')).toBeVisible()
  await pressOn('立即注册')
  await expect.element(heading).toMatchTextContent('注册')
  await expectSoundEverywhere()
  await pressOn('返回登录')
  await field('用户名').fill('somebody_new')
  await field('密码').fill('Geheim-123')
  await pressOn('登录')
  await expect.element(payDialog).toBeVisible()
  expect(await callsOf('orders.place')).toHaveLength(1)
})

test('the dialog that was closed stays closed, its order waits, and what was chosen is nobody else’s draft', async () => {
  await chooseAsVisitor()
  await register()
  await dialog.getByRole('button', { name: '稍后支付' }).click()
  await expect.poll(() => location.search).toBe(`?group=${group.id}`)
  expect(await callsOf('orders.place')).toHaveLength(1)
  expect(sessionStorage.getItem('draft')).toBeNull()
})

test('pressed again before the dialog that pays it has come, it is ordered once; after that is closed, anew', async () => {
  await open('/sales', signedIn)
  await buy.click()
  await expect.element(payDialog).toBeVisible()
  // As a double click where its files are still on their way: nothing lies over the button.
  const button = main().getByRole('complementary', { name: '订单摘要', includeHidden: true }).getByRole('button', {
    name: '立即购买',
    includeHidden: true,
  })
  const press = () => button.element().dispatchEvent(new MouseEvent('click', { bubbles: true }))
  press()
  await dialog.getByRole('button', { name: '稍后支付' }).click()
  await expect.element(payDialog).not.toBeInTheDocument()
  press()
  await expect.element(payDialog).toBeVisible()
  expect(await callsOf('orders.place')).toHaveLength(2)
})

test('a link that says to go on orders nothing by itself', async () => {
  await open(`/sales?group=${group.id}&buy=on`, signedIn)
  await expect.element(buy).toBeVisible()
  await expect.poll(() => location.search).toBe(`?group=${group.id}`)
  expect(await callsOf('orders.place')).toEqual([])
})

test('a password that a reload forgot is asked for again, and nothing is ordered without it', async () => {
  const { id: priceGroupId, included: spec } = offer()
  const kept = { priceGroupId, spec, osName: 'Debian', osVersion: '12', initialPassword: '', sshPort: '2222' }
  const more = { autoRenewal: false, sshKeyIds: [], period: 'MONTHLY', withPassword: true }
  sessionStorage.setItem('draft', JSON.stringify({ ...kept, ...more }))
  await open(`/sales?group=${group.id}&buy=on`, signedIn)
  await expect.element(field('SSH端口')).toHaveValue('2222')
  const summary = main().getByRole('complementary', { name: '订单摘要' })
  await expect.element(summary.getByRole('alert')).toMatchTextContent('请重新填写初始密码')
  expect(await callsOf('orders.place')).toEqual([])
  await expectSoundEverywhere()
})

test('a fixed plan that became another on the way is shown as it is now, ordered by nobody’s press before, and can be bought', async () => {
  const { id: priceGroupId, included: spec } = offer()
  const included = { ...spec, cpuCores: 4, memoryGb: 8 }
  const kept = { priceGroupId, spec: { ...spec, backups: 3 }, osName: 'Debian', osVersion: '12', sshPort: '2222' }
  const more = { initialPassword: '', autoRenewal: false, sshKeyIds: [], period: 'MONTHLY', withPassword: false }
  sessionStorage.setItem('draft', JSON.stringify({ ...kept, ...more }))
  const fixed = offer({ locked: true, included, mostBackups: 2 })
  await open(`/sales?group=${group.id}&buy=on`, { ...signedIn, 'shop.priceGroups': { data: [fixed] } })
  await expect.poll(() => location.search).toBe(`?group=${group.id}`)
  await expect.element(main().getByRole('slider', { name: 'CPU' })).toHaveValue('4')
  expect(await callsOf('orders.place')).toEqual([])
  await buy.click()
  await expect.element(payDialog).toBeVisible()
  expect(await callsOf('orders.place')).toEqual([expect.objectContaining({ ...included, backups: 2 })])
})

test('an order that cannot be placed on the way back says why, and what was chosen is still there', async () => {
  await chooseAsVisitor()
  await answer({ ...signedIn, 'orders.place': { refused: 'NO_STOCK', message: '库存不足' } })
  await register()
  const summary = main().getByRole('complementary', { name: '订单摘要' })
  await expect.element(summary.getByRole('alert')).toMatchTextContent('库存不足')
  await expect.element(field('SSH端口')).toHaveValue('2222')
})

test('the dialog that pays is there again after a reload', async () => {
  await open(`/sales?group=${group.id}&pay=${unpaid.id}`, signedIn)
  await expect.element(payDialog).toBeVisible()
})

test('an SSH key that was removed elsewhere is let go of: it could not be taken back, and the order was refused for ever', async () => {
  const key = {
    id: id(70),
    name: '旧笔记本',
    publicKey: 'ssh-ed25519 AAAA',
    fingerprint: 'SHA256:x',
    createdAt: inDays(0),
  }
  await open('/sales', {
    ...signedIn,
    'accounts.sshKeys': [{ data: [key] }, { data: [] }],
    'orders.place': [{ refused: 'UNKNOWN_SSH_KEY', message: 'SSH密钥不存在' }, { data: unpaid }],
  })
  await page.getByRole('checkbox', { name: '旧笔记本' }).click({ force: true })
  await buy.click()
  const summary = main().getByRole('complementary', { name: '订单摘要' })
  await expect.element(summary.getByRole('alert')).toMatchTextContent('SSH密钥不存在')
  await expect.element(main().getByText('还没有密钥')).toBeInTheDocument()
  await buy.click()
  await expect.element(payDialog).toBeVisible()
  expect(await callsOf('orders.place')).toEqual([
    expect.objectContaining({ sshKeyIds: [key.id] }),
    expect.objectContaining({ sshKeyIds: [] }),
  ])
})

test('what was taken off sale meanwhile is let go of once an order is refused for it: it stayed chosen, and was refused for ever', async () => {
  const [debian, ubuntu] = ['Debian', 'Ubuntu'].map((name) => ({ name, versions: ['12'] })) as [OsOption, OsOption]
  const sells = (change: Parameters<typeof offer>[0]): Script => ({
    ...signedIn,
    'shop.priceGroups': { data: [offer(change)] },
  })
  await open('/sales', sells({ osOptions: [debian, ubuntu], annualPrice: 880 }))
  await page.getByRole('radio', { name: '按年' }).click({ force: true })
  await answer({
    ...sells({ osOptions: [ubuntu], annualPrice: 0 }),
    'orders.place': { refused: 'UNKNOWN_IMAGE', message: '请选择操作系统及版本' },
  })
  await buy.click()
  const summary = main().getByRole('complementary', { name: '订单摘要' })
  await expect.element(summary.getByRole('alert')).toMatchTextContent('请选择操作系统及版本')
  await expect.element(page.getByRole('radio', { name: 'Debian' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('radio', { name: 'Ubuntu' })).not.toBeChecked()
  await expect.element(page.getByRole('radio', { name: '按年' })).not.toBeInTheDocument()
  await expect.element(summary).toMatchTextContent('未选择')
  await answer(sells({ osOptions: [ubuntu], annualPrice: 0 }))
  await page.getByRole('radio', { name: 'Ubuntu' }).click({ force: true })
  await page.getByRole('radio', { name: /^按月/ }).click({ force: true })
  await buy.click()
  await expect.element(payDialog).toBeVisible()
  expect((await callsOf('orders.place')).at(-1)).toMatchObject({ osName: 'Ubuntu', billingPeriod: 'MONTHLY' })
})

test('keys that cannot be read say so, instead of an order that goes on without them unsaid', async () => {
  await open('/sales', { ...signedIn, 'accounts.sshKeys': { refused: 'INTERNAL' } })
  const keys = main().getByRole('group', { name: 'SSH密钥（可选）' })
  await expect.element(keys).toMatchTextContent('加载失败')
  await expectSoundEverywhere()
  const retry = keys.getByRole('button', { name: '重试' })
  const asked = (await callsOf('accounts.sshKeys')).length
  await retry.click()
  await expect.poll(async () => (await callsOf('accounts.sshKeys')).length).toBeGreaterThan(asked)
  await answer(signedIn)
  // Its tries may be over by now.
  await expect
    .poll(async () => {
      if (retry.query()) await retry.click({ timeout: 1_000 }).catch(() => {})
      return keys.query()?.textContent
    })
    .toContain('还没有密钥')
})

test('what was chosen is still there for whoever signs in again after their session ended, and is not ordered by itself', async () => {
  await open('/sales', { ...signedIn, 'orders.place': { refused: 'UNAUTHENTICATED' } })
  await page.getByRole('radio', { name: '按年' }).click({ force: true })
  await field('初始密码').fill('Anfangs-1x')
  await field('SSH端口').fill('2222')
  await main().getByRole('button', { name: '增加数量' }).click()
  await buy.click()
  await expect.element(main().getByText('登录已失效，请重新登录')).toBeVisible()
  await answer(signedIn)
  await field('用户名').fill('somebody_new')
  await field('密码').fill('Geheim-123')
  await pressOn('登录')
  await expect.element(page.getByRole('radio', { name: '按年' })).toBeChecked()
  await expect.element(field('SSH端口')).toHaveValue('2222')
  expect(await callsOf('orders.place')).toEqual([])
  await buy.click()
  await expect.element(payDialog).toBeVisible()
  const chosen = { billingPeriod: 'ANNUAL', initialPassword: 'Anfangs-1x', sshPort: 2222, quantity: 2 }
  expect(await callsOf('orders.place')).toEqual([expect.objectContaining(chosen)])
})
