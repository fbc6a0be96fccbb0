import { mostDevices } from '@vps/shared/accounts'
import { expect, test } from 'vitest'
import { main, open } from '../../testing/screen'
import { id, inDays } from '../../testing/things'

test.each([
  [mostDevices, '仅列出最近使用的 100 台，修改密码可让其他设备全部退出'],
  [mostDevices - 1, '登录令牌永不过期，可随时在这里移除'],
])('a list of %i devices says whether these are all', async (count, words) => {
  const device = { current: false, address: null, userAgent: null, lastSeenAt: inDays(0), createdAt: inDays(-1) }
  const data = Array.from({ length: count }, (_, n) => ({ ...device, id: id(n) }))
  await open('/profile?part=devices', { 'accounts.devices': { data } })
  await expect.element(main().getByText('未知地址').first()).toBeVisible()
  await expect.element(main().getByText(words)).toBeVisible()
})
