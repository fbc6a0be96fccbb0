import { siteAtFirst } from '@vps/shared/site'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field, inDialog, notices, pressOn } from '../../../testing/act'
import { settingsReads, site } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../../testing/screen'
import type { Script } from '../../../testing/script'

const footer = () => page.getByRole('contentinfo')

test('the settings are shown in their sections, with who saved them, and what is empty is said to be shown nowhere', async () => {
  await open('/settings', { ...settingsReads, 'site.get': 'no answer' }, 'admin')
  await expect.element(page.getByRole('status', { name: '正在加载网站设置' })).toBeVisible()
  await answer(settingsReads)
  await expect.element(main().getByText('boss 保存于').first()).toBeVisible()
  await expect.element(main().getByText('support@example.com')).toBeVisible()
  await expect.element(main().getByText('ICP 备案号').element().parentElement!).toMatchTextContent('不展示')
  await expectSoundEverywhere()
})

test('settings that could not be read say so', async () => {
  await open('/settings', { 'site.get': { refused: 'FORBIDDEN' } }, 'admin')
  await expect.element(main().getByRole('alert')).toMatchTextContent('加载网站设置失败')
  await expectSoundEverywhere()
})

test('a section is saved by itself, and the footer says it at once', async () => {
  await open('/settings', { ...settingsReads, 'site.save': { data: null } }, 'admin')
  await pressOn('编辑公司与备案')
  await field('公司').fill('云舟科技有限公司')
  await field('ICP 备案号').fill('沪ICP备2026000001号')
  await expectSoundEverywhere()
  await answer({
    'site.get': { data: site },
    'site.save': { data: null },
    'shop.site': { data: { ...siteAtFirst, company: '云舟科技有限公司', icp: '沪ICP备2026000001号' } },
  })
  await inDialog('保存').click()
  await expect.element(notices.getByText('网站设置已更新')).toBeVisible()
  expect(await callsOf('site.save')).toEqual([
    { company: '云舟科技有限公司', icp: '沪ICP备2026000001号', police: '', version: 1 },
  ])
  await expect.element(footer().getByRole('link', { name: '沪ICP备2026000001号' })).toBeVisible()
  await expect.element(footer().getByText('© ')).toMatchTextContent('云舟科技有限公司')
})

test('places are seen on the map as they are written, and a wrong line is said with its number', async () => {
  await open('/settings', { ...settingsReads, 'site.save': { data: null } }, 'admin')
  await pressOn('编辑机房与测速')
  await field('机房分布').fill('上海，31.2，121.5\n东京')
  await expect.element(dialog.getByText('上海', { exact: true })).toBeVisible()
  await inDialog('保存').click()
  await expect.element(dialog.getByText(/^第 2 行不正确/)).toBeVisible()
  await expectSoundEverywhere()
  await field('机房分布').fill('上海，31.2，121.5\n东京，35.7，139.7')
  await inDialog('保存').click()
  await expect.element(notices.getByText('网站设置已更新')).toBeVisible()
  expect(await callsOf('site.save')).toEqual([{ places: '上海，31.2，121.5\n东京，35.7，139.7', version: 1 }])
})

test('methods of a recharge are switched off, one by one', async () => {
  await open('/settings', { ...settingsReads, 'site.save': { data: null } }, 'admin')
  await pressOn('编辑支付方式')
  await page.getByRole('switch', { name: 'PayPal' }).click({ force: true })
  await expectSoundEverywhere()
  await inDialog('保存').click()
  await expect.element(notices.getByText('网站设置已更新')).toBeVisible()
  expect(await callsOf('site.save')).toMatchObject([{ alipay: true, paypal: false, version: 1 }])
})

test('what may not be sent is said at its field', async () => {
  await open('/settings', settingsReads, 'admin')
  await pressOn('编辑联系方式')
  await field('邮箱').fill('nobody')
  await inDialog('保存').click()
  await expect.element(dialog.getByText('邮箱格式不正确')).toBeVisible()
})

test('what nobody claims stands nowhere on the home page', async () => {
  const silent = {
    trial: '',
    users: '',
    dataCentres: '',
    availability: '',
    supportAnswer: '',
    latency: '',
    voices: false,
  }
  const nothingSold: Script = { 'shop.groups': { data: [] }, 'shop.priceGroups': { data: [] } }
  await open('/', { ...nothingSold, 'shop.site': { data: { ...siteAtFirst, ...silent } } }, 'visitor')
  await expect.element(page.getByRole('heading', { name: '为什么选择我们' })).toBeVisible()
  for (const claim of ['试用', '10,000', '15+', '99.9%', '5 分钟', '50ms', '客户怎么说'])
    expect(main().element().textContent, claim).not.toContain(claim)
  await expectSoundEverywhere()
})

test('contacts are those of the settings, without what is empty', async () => {
  await open('/notices', { 'shop.site': { data: { ...siteAtFirst, qq: '', phone: '400-123' } } }, 'visitor')
  await footer().getByRole('button', { name: '联系我们' }).click()
  await expect.element(dialog.getByText('400-123')).toBeVisible()
  await expect.element(dialog.getByText('QQ 群')).not.toBeInTheDocument()
  await expectSoundEverywhere()
})

test('a legal text that could not be read says so', async () => {
  await open('/notices', { 'shop.site': 'a missing path' }, 'visitor')
  await footer().getByRole('button', { name: '服务条款' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('加载服务条款失败')
  await answer({ 'shop.site': { data: siteAtFirst } })
  await inDialog('重试').click()
  await expect.element(dialog.getByText('本条款自 2025 年 1 月 1 日起生效。')).toBeVisible()
})
