import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { ImageView } from '@vps/shared/images.contract'
import { ImageSource } from '../../packages/agent/src/testing/image-source.js'
import { judge } from './judge.js'
import { demoAdmin, enterAs } from './people.js'
import { expect, test } from './test.js'

const source = new ImageSource(3_000_000)
const mark = randomBytes(3).toString('hex')
const file = `arch-${mark}.qcow2`
test.beforeAll(() => source.listen())
test.afterAll(async () => {
  await source.close()
  const admin = await demoAdmin()
  const { body } = await admin.call<ImageView[]>('GET', '/images')
  for (const image of body.data.filter((one) => one.file === file)) await admin.call('DELETE', `/images/${image.id}`)
})
test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => localStorage.setItem('theme-mode', 'auto'))
  await enterAs(context, await demoAdmin())
})

/** What is judged is there for a moment only. */
async function judgeBoth(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await judge(page, `${name}-${colorScheme}`)
  }
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('an image by its address is followed from its first byte until a host has it, and ends with its deletion', async ({
  page,
}) => {
  // Half of it, until the screen has shown how far it is.
  source.misbehave = (request, response) => (source.serve(request, response, 1_500_000), true)
  await page.goto(`/images?q=${mark}`)
  await page.getByRole('button', { name: '新增' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('系统名称').fill('Arch')
  await dialog.getByLabel('版本').fill(mark)
  await dialog.getByLabel('排序').fill('99')
  await dialog.getByLabel('文件名').fill(file)
  await dialog.getByLabel('下载地址').fill(source.image().url)
  await dialog.getByLabel('SHA-256 校验和').fill(source.sha256)
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('镜像已创建')).toBeVisible()

  const row = rowOf(page, mark)
  await expect(row).toContainText('0 / 1 台已就绪')
  // A host that hears of it at once is further already.
  await expect(row).toContainText(/等待宿主机下载|传输中/)
  await row.getByRole('button', { name: '在各宿主机上的情况' }).click()
  await expect(dialog).toContainText(/等待|传输中/)
  // Without a reload.
  const meter = dialog.getByRole('meter', { name: '下载进度' })
  await expect(meter).toHaveAttribute('aria-valuenow', '50')
  await expect(dialog).toContainText('传输中 50%')
  await expect(dialog).toContainText('1 MB / 3 MB')
  await judgeBoth(page, 'admin-image-hosts')
  await dialog.getByRole('button', { name: '关闭' }).last().click()
  await expect(row.getByRole('meter')).toHaveAttribute('aria-valuenow', '50')
  await judgeBoth(page, 'admin-image-running')

  source.misbehave = () => false
  await source.close()
  await source.listen()
  await expect(row).toContainText('1 / 1 台已就绪')
  await expect(row.getByRole('meter')).toHaveCount(0)

  await row.getByRole('button', { name: '删除' }).click()
  const asked = page.getByRole('alertdialog')
  await expect(asked).toContainText(`宿主机上的文件 ${file} 会保留`)
  await asked.getByRole('button', { name: '确认删除' }).click()
  await expect(page.getByText('镜像已删除')).toBeVisible()
  await expect(page.getByText('没有符合条件的镜像')).toBeVisible()
})
