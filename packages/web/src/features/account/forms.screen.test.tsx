import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { field, notices, pressOn } from '../../testing/act'
import { answer, arrive, callsOf, drawn, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { id, inDays } from '../../testing/things'

const alert = () => main().getByRole('alert')
const button = (name: string) => main().getByRole('button', { name, exact: true })
const faults = async (...sentences: string[]) => {
  for (const sentence of sentences) await expect.element(main().getByText(sentence).first()).toBeVisible()
}
const profile: Script = {
  'wallet.get': { data: { balance: 0, updatedAt: inDays(0) } },
  'accounts.sshKeys': { data: [] },
  'accounts.devices': { data: [] },
}
describe('an address taken back', () => {
  const outcome = 'taken-back'
  const recovered = '邮箱已恢复，请通过“找回密码”设置新密码'
  beforeEach(async () => {
    await open(`/email-change?act=take-back&token=${'x'.repeat(43)}`, {})
    await expect.poll(async () => (await callsOf('accounts.me')).length).toBe(1)
  })

  // The next read told of a lost session, and led by it to a link that was used up.
  test('where its account is signed in says so, and leads to a new password', async () => {
    await answer({
      'accounts.followEmailLink': { data: { outcome } },
      'accounts.me': { refused: 'UNAUTHENTICATED' },
    })
    await pressOn('恢复此邮箱')
    await expect.element(main().getByRole('heading', { name: '找回密码' })).toBeVisible()
    await expect.element(notices.getByText(recovered)).toBeVisible()
    expect([location.pathname, location.search, localStorage.getItem('token')]).toEqual(['/forgot-password', '', null])
  })

  test('where somebody else is signed in leaves them there, and the focus beside what is told', async () => {
    await answer({ 'accounts.followEmailLink': { data: { outcome } } })
    await pressOn('恢复此邮箱')
    await expect.element(main().getByText(recovered)).toBeVisible()
    await expect.element(main()).toHaveFocus()
    await expect.poll(() => callsOf('accounts.me')).toHaveLength(1)
    expect(location.pathname).toBe('/email-change')
  })
})

describe('an address that is confirmed or taken back leads on', () => {
  const link = (act: string) => `/email-change?act=${act}&token=${'x'.repeat(43)}`
  test.each([
    ['confirm', 'customer', '确认邮箱', 'confirmed', '个人资料', '/profile'],
    ['confirm', 'visitor', '确认邮箱', 'confirmed', '去登录', '/auth'],
    ['take-back', 'visitor', '恢复此邮箱', 'taken-back', '找回密码', '/forgot-password'],
  ] as const)('%s, for a %s', async (act, who, press, outcome, name, href) => {
    await open(link(act), { 'accounts.followEmailLink': { data: { outcome } } }, who)
    await pressOn(press)
    await expect.element(main().getByText(/邮箱已/)).toBeVisible()
    await expect.element(main().getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
    expect(main().getByRole('link').elements()).toHaveLength(1)
    await expectSoundEverywhere()
  })

  test('take-back, for somebody else who is signed in: to nothing that is only for who is not', async () => {
    await open(link('take-back'), { 'accounts.followEmailLink': { data: { outcome: 'taken-back' } } })
    await pressOn('恢复此邮箱')
    await expect.element(main().getByText(/先退出登录/)).toBeVisible()
    expect(main().getByRole('link').elements()).toEqual([])
  })
})

describe('registration', () => {
  test('says what is missing or wrong, and refuses to be sent with two passwords that differ', async () => {
    await open('/auth', {}, 'visitor')
    await pressOn('立即注册')
    await pressOn('注册')
    await expect.element(alert()).toMatchTextContent('所有字段都不能为空')
    await expect.poll(() => main().getByText('此字段为必填项').elements()).toHaveLength(4)
    await expectSoundEverywhere()
    await field('用户名').fill('a!')
    await field('邮箱').fill('nobody')
    await field('密码').fill('abc')
    await field('确认密码').fill('abc')
    await pressOn('注册')
    await expect.element(alert()).toMatchTextContent('请更正表单中的错误后再提交')
    await faults('用户名需为3-20个字母、数字或下划线', '请输入有效的邮箱地址', '最少需要 6 个字符')
    await page.getByRole('button', { name: '关闭提示' }).click()
    await expect.element(alert()).not.toBeInTheDocument()
    await field('确认密码').fill('other')
    await faults('两次输入的密码不一致')
    await expect.element(button('注册')).toBeDisabled()
    expect(await callsOf('accounts.register')).toEqual([])
  })

  test('shows the strength of the password by the six points', async () => {
    await open('/auth', {}, 'visitor')
    await pressOn('立即注册')
    const meter = page.getByRole('meter', { name: '密码强度' })
    for (const [password, word, score] of [
      ['abc', '弱', '1'],
      ['abcdefgh', '弱', '2'],
      ['Abcdefg1', '中', '4'],
      ['Abcdefg1!', '强', '5'],
      ['Abcdefghijk1!', '强', '6'],
    ] as const) {
      await field('密码').fill(password)
      await expect.element(meter).toHaveAttribute('aria-valuetext', word)
      await expect.element(meter).toHaveAttribute('aria-valuenow', score)
    }
  })
})

test('a new password that no hidden field takes from the keyboard says so, and may be chosen all the same', async () => {
  await open('/auth', {}, 'visitor')
  await pressOn('立即注册')
  await field('密码').fill('Geheim-123')
  await expect.element(page.getByRole('meter', { name: '密码强度' })).toBeVisible()
  await expect.element(main().getByText('含有中文或全角符号')).not.toBeInTheDocument()
  await field('密码').fill('Geheim-123！')
  await expect.element(main().getByText('含有中文或全角符号')).toBeVisible()
  await field('确认密码').fill('Geheim-123！')
  await expect.element(button('注册')).toBeEnabled()
  await expectSoundEverywhere()
})

describe('signing in', () => {
  test('says what is missing, shows the password on request, and cannot be sent twice', async () => {
    await open('/auth', { 'accounts.signIn': 'no answer' }, 'visitor')
    await pressOn('登录')
    await expect.element(alert()).toMatchTextContent('用户名和密码不能为空')
    await expect.poll(() => main().getByText('此字段为必填项').elements()).toHaveLength(2)
    await expectSoundEverywhere()
    await field('用户名').fill(' demo ')
    await field('密码').fill('not-this-one')
    await expect.element(field('密码')).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: '显示密码' }).click()
    await expect.element(field('密码')).toHaveAttribute('type', 'text')
    await pressOn('登录')
    await expect.element(button('登录中…')).toBeDisabled()
    await expect.poll(() => callsOf('accounts.signIn')).toEqual([{ username: 'demo', password: 'not-this-one' }])
    await answer({ 'accounts.signIn': { refused: 'WRONG_CREDENTIALS' } })
    await expect.element(alert()).toMatchTextContent('用户名或密码错误')
  })

  test('is sent once, also where it is pressed again before its rules have come', async () => {
    await open('/auth', { 'accounts.signIn': 'no answer' }, 'visitor')
    await field('用户名').fill('demo')
    await field('密码').fill('not-this-one')
    const press = () =>
      main()
        .getByRole('button', { name: /^登录/ })
        .element()
        .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    press()
    // Drawn, but no file has come meanwhile.
    await Promise.resolve()
    press()
    await expect.poll(() => callsOf('accounts.signIn')).not.toEqual([])
    await drawn()
    expect(await callsOf('accounts.signIn')).toHaveLength(1)
  })

  test('is switched to registration and back in place, and leads to the forgotten password', async () => {
    await open('/auth', {}, 'visitor')
    const heading = page.getByRole('heading', { level: 1 })
    await pressOn('立即注册')
    await expect.element(heading).toMatchTextContent('注册')
    await expect.element(main()).toHaveFocus()
    await pressOn('返回登录')
    await expect.element(heading).toMatchTextContent('登录')
    await expect.element(main()).toHaveFocus()
    expect(location.pathname).toBe('/auth')
    await page.getByRole('link', { name: '忘记密码' }).click()
    await expect.poll(() => location.pathname).toBe('/forgot-password')
  })
})

describe('a forgotten password', () => {
  test('goes on without losing the focus, and takes the code as it may come out of the mail with blanks around it', async () => {
    await open('/forgot-password', { 'accounts.forgotPassword': { data: null } }, 'visitor')
    await field('邮箱').fill('somebody@example.com')
    await userEvent.keyboard('{Enter}')
    await expect.element(field('验证码')).toBeVisible()
    await expect.element(main()).toHaveFocus()
    await answer({ 'accounts.resetPassword': 'no answer' })
    await field('验证码').click()
    await userEvent.keyboard(' 123456 ')
    await field('新密码').fill('Another-1')
    await field('确认密码').fill('Another-1')
    await pressOn('重置密码')
    await expect.poll(() => callsOf('accounts.resetPassword')).toMatchObject([{ verificationCode: '123456' }])
  })

  test('stays within a phone, however long the address', async () => {
    const address = `${'abcdefghij'.repeat(5)}@example.com`
    await open('/forgot-password', { 'accounts.forgotPassword': { data: null } }, 'visitor')
    await field('邮箱').fill(address)
    await pressOn('发送验证码')
    await expect.element(main().getByText(`验证码发送至 ${address}`)).toBeVisible()
    await expectSoundEverywhere()
  })

  test('wants an address, a whole code and two equal passwords; back clears what was typed', async () => {
    await open('/forgot-password', { 'accounts.forgotPassword': { data: null } }, 'visitor')
    await field('邮箱').fill('nobody')
    await pressOn('发送验证码')
    await faults('请输入有效的邮箱地址')
    await field('邮箱').fill('somebody@example.com')
    await pressOn('发送验证码')
    await faults('验证码已发送，请查收邮件')
    await field('验证码').fill('12')
    await field('新密码').fill('abc')
    await field('确认密码').fill('abcd')
    await pressOn('重置密码')
    await faults('请输入6位验证码', '最少需要 6 个字符', '两次输入的密码不一致')
    await expectSoundEverywhere()
    await pressOn('返回')
    await expect.element(field('邮箱')).toHaveValue('')
  })

  test('offers another code after a minute, and says where it could not be sent', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await open('/forgot-password', { 'accounts.forgotPassword': { data: null } }, 'visitor')
    await field('邮箱').fill('somebody@example.com')
    await pressOn('发送验证码')
    const again = main().getByRole('button', { name: /^重新发送/ })
    await expect.element(again).toMatchTextContent(/重新发送（(60|5\d) 秒）/)
    await expect.element(again).toHaveAttribute('aria-disabled', 'true')
    vi.setSystemTime(Date.now() + 61_000)
    await answer({ 'accounts.forgotPassword': ['a proxy’s page', 'lost', { data: null }] })
    await again.click()
    await expect.element(alert()).toMatchTextContent('验证码发送失败')
    await again.click()
    await expect.element(alert()).toMatchTextContent('网络连接错误')
    await expect.element(again).not.toHaveAttribute('aria-busy')
    again.element().focus()
    await userEvent.keyboard('{Enter}')
    await faults('验证码已重新发送，请查收邮件')
    await expect.element(again).toHaveAttribute('aria-disabled', 'true')
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    await expect.element(again).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(await callsOf('accounts.forgotPassword')).toHaveLength(3)
  })
})

describe('the profile', () => {
  test('that another tab has changed meanwhile is not changed back by what is saved here, nor what is typed lost', async () => {
    // What is read of it in this tab would be the older one.
    const unread = { ...profile, 'accounts.me': 'no answer' } as const
    await open('/profile', { ...unread, 'accounts.updateProfile': { refused: 'CONFLICT' } })
    await field('邮箱').fill('another@example.com')
    const user = JSON.parse(localStorage.getItem('user') ?? '') as object
    localStorage.setItem('user', JSON.stringify({ ...user, username: 'renamed' }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
    await expect.element(field('用户名')).toHaveValue('renamed')
    await pressOn('保存')
    await expect
      .poll(() => callsOf('accounts.updateProfile'))
      .toMatchObject([{ username: 'renamed', email: 'another@example.com' }])
  })

  test('is changed by its rules, and 重置 gives back what was', async () => {
    await open('/profile', profile)
    await field('用户名').fill('x')
    await field('邮箱').fill('nobody')
    await page.getByText('修改密码（可选）').click()
    await field('新密码').fill('kurz')
    await field('确认密码').fill('lang')
    await pressOn('保存')
    await expect.element(alert()).toMatchTextContent('请修复表单中的错误')
    await faults(
      '用户名需为3-20个字母、数字或下划线',
      '请输入有效的邮箱地址',
      '请输入当前密码',
      '新密码至少需要8个字符',
      '两次输入的密码不一致',
    )
    await expectSoundEverywhere()
    await pressOn('重置')
    await expect.element(field('用户名')).toHaveValue('customer')
    await expect.element(field('新密码')).toHaveValue('')
    expect(await callsOf('accounts.updateProfile')).toEqual([])
  })

  test('says a fault where it can be seen and mended, also of the password whose fields were folded away', async () => {
    await open('/profile', profile)
    const fold = page.getByText('修改密码（可选）')
    await fold.click()
    await field('当前密码').fill('secret-1')
    await fold.click()
    await expect.element(field('当前密码')).not.toBeVisible()
    await pressOn('保存')
    await expect.element(alert()).toMatchTextContent('请修复表单中的错误')
    await faults('请输入新密码')
    await expect.element(field('新密码')).toHaveFocus()
  })

  test('is saved where a browser has filled in the current password by itself, which nobody has seen', async () => {
    const saved = {
      id: id(1),
      username: 'customer',
      email: 'new@example.com',
      role: 'USER' as const,
      isAdmin: false,
      createdAt: inDays(-9),
    }
    await open('/profile', { ...profile, 'accounts.updateProfile': { data: saved } })
    await field('邮箱').fill('new@example.com')
    const filled = document.querySelector<HTMLInputElement>('input[autocomplete="current-password"]')
    if (!filled) throw new Error('the profile has no field for the current password')
    // As Chromium fills in what it keeps, also what is folded away.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(filled, 'Kept-by-the-browser-1')
    for (const type of ['input', 'change']) filled.dispatchEvent(new Event(type, { bubbles: true }))
    await pressOn('保存')
    await expect.element(notices.getByText('个人资料更新成功')).toBeVisible()
    expect(await callsOf('accounts.updateProfile')).toEqual([{ username: 'customer', email: 'new@example.com' }])
  })

  test.each([
    ['', 'wallet.get', '网络连接错误', '¥0.00'],
    ['?part=devices', 'accounts.devices', '加载登录设备失败', '登录令牌永不过期，可随时在这里移除'],
    ['?part=keys', 'accounts.sshKeys', '加载SSH密钥失败', '还没有密钥。'],
  ] as const)(
    'in the part "%s" says that %s could not be read, and reads it again',
    async (part, read, fault, then) => {
      await arrive(`/profile${part}`, { ...profile, [read]: 'lost' })
      await expect.element(main().getByRole('alert').getByText(fault)).toBeVisible()
      await expectSoundEverywhere()
      await answer(profile)
      await pressOn('重试')
      await expect.element(main().getByText(then)).toBeVisible()
      await expect.element(page.getByRole('button', { name: '重试' })).not.toBeInTheDocument()
    },
  )

  test('stays within a phone, however long a key or a device is called', async () => {
    const long = 'abcdefghij'.repeat(10)
    const key = { id: id(3), name: long, publicKey: 'ssh-ed25519', fingerprint: `SHA256:${long.slice(0, 43)}` }
    const device = { id: id(4), current: false, address: null, userAgent: long, lastSeenAt: inDays(0) }
    await open('/profile?part=keys', {
      ...profile,
      'accounts.sshKeys': { data: [{ ...key, createdAt: inDays(-1) }] },
      'accounts.devices': { data: [{ ...device, createdAt: inDays(-1) }] },
    })
    await expect.element(main().getByText(long)).toBeVisible()
    await expectSoundEverywhere()
    await main().getByRole('link', { name: '登录设备' }).click()
    await expect.element(main().getByText(long)).toBeVisible()
    await expectSoundEverywhere()
  })

  test('is in parts, each at its address, with the way back between them', async () => {
    await open('/profile', profile)
    const parts = main().getByRole('navigation', { name: '账户的各部分' })
    await parts.getByRole('link', { name: '登录设备' }).click()
    expect(location.pathname + location.search).toBe('/profile?part=devices')
    await expect.element(parts.getByRole('link', { name: '登录设备' })).toHaveAttribute('aria-current', 'page')
    await expectSoundEverywhere()
    await parts.getByRole('link', { name: 'SSH密钥' }).click()
    await expect.element(main().getByRole('button', { name: '新增' })).toBeVisible()
    await expectSoundEverywhere()
    history.back()
    await expect.element(main().getByText('登录令牌永不过期，可随时在这里移除')).toBeVisible()
  })
})

test.each([
  '/dashboard',
  '/orders',
  '/transactions',
  '/recharge',
  '/payment/history',
  '/profile',
  '/categories',
  '/groups',
  '/servers',
  '/price-groups',
  '/server-manage/x',
  '/server-install-progress/x',
  '/orders?orderId=1',
])('a visitor is sent from %s to sign in, and back there afterwards', async (address) => {
  await open(address, {}, 'visitor')
  await expect.poll(() => location.pathname + location.search).toBe(`/auth?next=${encodeURIComponent(address)}`)
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('登录')
})

test.each([
  ['/categories', '访问被拒绝：只有管理员可以管理服务器分类'],
  ['/groups', '访问被拒绝：只有管理员可以管理服务器分组'],
  ['/servers', '访问被拒绝：只有管理员可以管理服务器'],
  ['/price-groups', '访问被拒绝：只有管理员可以管理价格组'],
  ['/overview', '访问被拒绝：只有管理员可以访问此页面'],
])('a customer at %s reads that only administrators may', async (address, sentence) => {
  await open(address, {})
  await expect.element(main().getByRole('alert')).toMatchTextContent(sentence)
  await expectSoundEverywhere()
  expect(main().getByRole('table').elements()).toEqual([])
})

test('an address that is none says so and leads home', async () => {
  await open('/nowhere/at/all', { 'shop.groups': { data: [] }, 'shop.priceGroups': { data: [] } }, 'visitor')
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('页面不存在')
  await expectSoundEverywhere()
  await main().getByRole('link', { name: '返回首页' }).click()
  await expect.poll(() => location.pathname).toBe('/')
})
