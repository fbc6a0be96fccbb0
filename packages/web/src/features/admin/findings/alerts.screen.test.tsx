import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { findingsReads } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, open } from '../../../testing/screen'
import type { Script } from '../../../testing/script'

const alerts = () => page.getByRole('switch', { name: '告警邮件' })
const scripted = (mailed: boolean, fault: string | null = null): Script => ({
  ...findingsReads(),
  'alerts.get': { data: { mailed, email: 'boss@example.com', fault } },
})

test('who is mailed of what lasts, and where to, is said and can be turned off', async () => {
  await open('/findings', scripted(true), 'admin')
  await expect.element(page.getByText('发现项或宿主机失联持续 5 分钟时，发送到 boss@example.com')).toBeVisible()
  await expect.element(alerts()).toBeChecked()
  await expectSoundEverywhere()
  await answer({ ...scripted(false), 'alerts.set': { data: null } })
  await alerts().click({ force: true })
  await expect.element(page.getByText('已关闭告警邮件')).toBeVisible()
  await expect.element(alerts()).not.toBeChecked()
  expect(await callsOf('alerts.set')).toEqual([{ mailed: false }])
})

test('where no mail arrives, why is said instead of where it would go', async () => {
  await open('/findings', scripted(true, '最近一封邮件未能送出：550 relaying denied'), 'admin')
  await expect.element(page.getByText('最近一封邮件未能送出：550 relaying denied')).toBeVisible()
  expect(page.getByText('boss@example.com').elements()).toEqual([])
  await expectSoundEverywhere()
})

test('a wish whose answer was lost shows what is kept', async () => {
  await open('/findings', scripted(true), 'admin')
  await expect.element(alerts()).toBeChecked()
  await answer({ ...scripted(false), 'alerts.set': 'lost' })
  await alerts().click({ force: true })
  await expect.element(page.getByText('网络连接错误')).toBeVisible()
  await expect.element(alerts()).not.toBeChecked()
})

test('a switch back before the first was answered goes out after it', async () => {
  await open('/findings', { ...scripted(true), 'alerts.set': 'no answer' }, 'admin')
  await expect.element(alerts()).toBeChecked()
  await alerts().click({ force: true })
  await alerts().click({ force: true })
  await expect.poll(() => callsOf('alerts.set')).toEqual([{ mailed: false }])
  await answer({ ...scripted(true), 'alerts.set': { data: null } })
  await expect.element(page.getByText('已打开告警邮件')).toBeVisible()
  expect(await callsOf('alerts.set')).toEqual([{ mailed: true }])
  await expect.element(alerts()).toBeChecked()
})
