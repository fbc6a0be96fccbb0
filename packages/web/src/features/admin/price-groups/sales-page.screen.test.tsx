import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { field, inQuestion, notices, pressOn, question } from '../../../testing/act'
import { priceGroup } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open, visit } from '../../../testing/screen'
import type { Script } from '../../../testing/script'
import { pageOf } from '../../../testing/things'

const group = priceGroup({ salesPageHtml: '<p>旧介绍</p>' })
const address = `/price-groups/${group.id}/sales-page`
const reads: Script = {
  'catalogue.priceGroup': { data: group },
  'catalogue.priceGroups': { data: pageOf(group) },
  'catalogue.updatePriceGroup': { data: { id: group.id } },
}
const shown = () => document.querySelector('iframe')?.contentDocument?.body.textContent
const text = field('HTML 内容')

test('what is typed is seen beside it as customers get it, and saved with all else as it was', async () => {
  await open(address, reads, 'admin')
  await expect.poll(shown).toBe('旧介绍')
  await text.fill('<p>新介绍</p><script>1</script>')
  await expect.poll(shown).toBe('新介绍')
  await expectSoundEverywhere()
  await pressOn('保存')
  await expect.element(notices.getByText('销售页已保存')).toBeVisible()
  expect(await callsOf('catalogue.updatePriceGroup')).toMatchObject([
    {
      id: group.id,
      name: group.name,
      salesPageHtml: '<p>新介绍</p><script>1</script>',
      monthlyPrice: group.monthlyPrice,
    },
  ])
  await page.getByRole('link', { name: '返回' }).click()
  await expect.poll(() => location.pathname).toBe('/price-groups')
})

test('leaving asks while something is not saved, and stays or goes as is answered', async () => {
  await open(address, reads, 'admin')
  await text.fill('<p>新介绍</p>')
  await page.getByRole('link', { name: '返回' }).click()
  await expect.element(question.getByText('离开后，未保存的内容会丢失。')).toBeVisible()
  await inQuestion('取消').click()
  await expect.element(text).toHaveValue('<p>新介绍</p>')
  expect(location.pathname).toBe(address)
  await page.getByRole('link', { name: '返回' }).click()
  await inQuestion('离开且不保存').click()
  await expect.poll(() => location.pathname).toBe('/price-groups')
  expect(await callsOf('catalogue.updatePriceGroup')).toEqual([])
})

test('the way back asks, also where the browser does not tell of it beforehand', async () => {
  const told = Object.getOwnPropertyDescriptor(window, 'navigation')
  Reflect.deleteProperty(window, 'navigation')
  await open('/price-groups', reads, 'admin')
  visit(address)
  await text.fill('<p>新介绍</p>')
  history.back()
  await inQuestion('取消').click()
  await expect.element(text).toHaveValue('<p>新介绍</p>')
  expect(location.pathname).toBe(address)
  history.back()
  await inQuestion('离开且不保存').click()
  await expect.poll(() => location.pathname).toBe('/price-groups')
  if (told) Object.defineProperty(window, 'navigation', told)
})

test('menus and the palette ask, too, and lead on only when told to', async () => {
  await open(address, { ...reads, 'orders.list': { data: [] } }, 'admin')
  await text.fill('<p>新介绍</p>')
  const stays = async () => {
    await inQuestion('取消').click()
    await expect.element(text).toHaveValue('<p>新介绍</p>')
    expect(location.pathname).toBe(address)
  }
  await page.getByRole('button', { name: '机房' }).click()
  await page.getByRole('menuitem', { name: '任务' }).click()
  await stays()
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('menuitem', { name: '公告', exact: true }).click()
  await stays()
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('menuitem', { name: '公告', exact: true }).click()
  await inQuestion('离开且不保存').click()
  await expect.poll(() => location.pathname).toBe('/notices')
})

test('saved on what another has changed meanwhile keeps both, once it was said', async () => {
  await open(address, { ...reads, 'catalogue.updatePriceGroup': { refused: 'CONFLICT' } }, 'admin')
  await text.fill('<p>新介绍</p>')
  const newer = priceGroup({ salesPageHtml: '<p>别人的</p>', monthlyPrice: 99, version: group.version + 1 })
  await answer({
    ...reads,
    'catalogue.priceGroup': { data: newer },
    'catalogue.updatePriceGroup': { refused: 'CONFLICT' },
  })
  await pressOn('保存')
  await expect.element(main().getByText('再次保存将以您填写的内容为准')).toBeVisible()
  await answer({ ...reads, 'catalogue.priceGroup': { data: newer } })
  await pressOn('保存')
  await expect.element(notices.getByText('销售页已保存')).toBeVisible()
  expect(await callsOf('catalogue.updatePriceGroup')).toMatchObject([
    { version: newer.version, monthlyPrice: 99, salesPageHtml: '<p>新介绍</p>' },
  ])
})

test('saved again at once is made on what the first save made, not refused as another’s change', async () => {
  await open(address, reads, 'admin')
  await text.fill('<p>新介绍</p>')
  await answer({ ...reads, 'catalogue.priceGroup': 'no answer' })
  await pressOn('保存')
  await expect.poll(() => callsOf('catalogue.updatePriceGroup')).toHaveLength(1)
  await expect.poll(() => callsOf('catalogue.priceGroup')).toHaveLength(1)
  const save = main().getByRole('button', { name: '保存' })
  await expect.element(save).toHaveAttribute('aria-busy', 'true')
  await text.fill('<p>更新的介绍</p>')
  const newer = priceGroup({ salesPageHtml: '<p>新介绍</p>', version: group.version + 1 })
  await answer({ ...reads, 'catalogue.priceGroup': { data: newer } })
  await expect.element(save).not.toHaveAttribute('aria-busy')
  // By the keyboard, as what was told lies over it.
  save.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => callsOf('catalogue.updatePriceGroup'))
    .toMatchObject([{ version: newer.version, salesPageHtml: '<p>更新的介绍</p>' }])
})

test('says what could not be read, and that a structured plan would be replaced', async () => {
  await open(address, { ...reads, 'catalogue.priceGroup': { refused: 'INTERNAL' } }, 'admin')
  await expect.element(main().getByText('获取价格组失败')).toBeVisible()
  const plan = { cpu_cores: 2, memory: 4, disk_space: 40, network_speed: 100, ip_count: 1, operating_system: [] }
  await answer({ ...reads, 'catalogue.priceGroup': { data: priceGroup({ salesPageHtml: JSON.stringify(plan) }) } })
  await pressOn('重试')
  await expect.element(main().getByText(/保存后由这里的 HTML 取代/)).toBeVisible()
  await expectSoundEverywhere()
})

test('a page that was saved without an answer is saved when it is sent again, not taken for another’s', async () => {
  await open(address, { ...reads, 'catalogue.updatePriceGroup': 'lost' }, 'admin')
  await text.fill('<p>新介绍</p>')
  await pressOn('保存')
  await expect.element(main().getByRole('alert')).toHaveTextContent('网络连接错误')
  await answer({
    ...reads,
    'catalogue.priceGroup': { data: { ...group, salesPageHtml: '<p>新介绍</p>', version: 2 } },
    'catalogue.updatePriceGroup': { refused: 'CONFLICT' },
  })
  await pressOn('保存')
  await expect.element(notices.getByText('销售页已保存')).toBeVisible()
  await expect.element(main().getByRole('alert')).not.toBeInTheDocument()
  await page.getByRole('link', { name: '返回' }).click()
  await expect.poll(() => location.pathname).toBe('/price-groups')
})
