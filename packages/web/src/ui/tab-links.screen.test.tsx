import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { consoleAddress, consoleReads } from '../testing/customers-acts'
import { open, visit } from '../testing/screen'
import { pageOf } from '../testing/things'

test('which part is shown can be seen on a narrow phone, though more stand beside it than fit', async () => {
  await open('/notices', { ...consoleReads, 'console.logs': { data: pageOf() } })
  await page.viewport(320, 640)
  visit(`${consoleAddress}?part=logs`)
  const parts = page.getByRole('navigation', { name: '服务器的各部分' })
  const isSeen = (name: string) => () => {
    const { left, right } = parts.getByRole('link', { name }).element().getBoundingClientRect()
    return left >= 0 && right <= innerWidth
  }
  await expect.poll(isSeen('日志')).toBe(true)
  await parts.getByRole('link', { name: '概览' }).click()
  await expect.poll(isSeen('概览')).toBe(true)
})
