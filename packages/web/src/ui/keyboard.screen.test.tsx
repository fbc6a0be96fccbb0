/** A phone's keyboard covers the window's lower part: what is seen is told by the visual viewport alone. */
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { group, image, incident, priceGroup } from '../testing/operators-things'
import { choose } from '../testing/act'
import { main, open } from '../testing/screen'
import { pageOf, row } from '../testing/things'

const dialog = page.getByRole('dialog')
const viewport = window.visualViewport

afterEach(() => keyboardLeaves(null))

test('an iPhone has no reason to zoom to a field of a list, the size of its pages among them', async () => {
  await open('/orders', { 'orders.page': { data: pageOf(row()) } })
  await page.viewport(390, 844)
  await expect.element(main().getByLabelText('每页条数')).toBeVisible()
  expect(smallFields()).toEqual([])
})

const smallFields = () =>
  [...document.querySelectorAll('main input:not([type=radio], [type=checkbox], [type=range]), main select')]
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.outerHTML)

test.each([
  ['upright', 390, 844, 508],
  ['on its side', 844, 390, 170],
])(
  'the buttons of a dialog and what is typed in it stand over the keyboard of a phone %s',
  async (_, width, height, left) => {
    await open(
      '/incidents',
      { 'status.incidents': { data: pageOf(incident) }, 'catalogue.groups': { data: pageOf(group) } },
      'admin',
    )
    await page.viewport(width, height)
    await main()
      .getByRole('button', { name: `补充进展 ${incident.title}` })
      .click()
    const typed = dialog.getByLabelText('内容')
    await expect.element(typed).toBeVisible()
    keyboardLeaves(left)
    for (const reached of [typed, dialog.getByRole('button', { name: '发布' })])
      await expect
        .poll(() => {
          // As the browser does for a field that gets the focus, within what scrolls.
          reached.element().scrollIntoView({ block: 'nearest' })
          return unseen(reached.element(), left)
        })
        .toBe(0)
    expect(document.documentElement.scrollTop).toBe(0)
  },
)

test('a dialog titled by a long name has two lines of it over the keyboard, and all of it without one', async () => {
  const long = priceGroup({ name: '香港直连精品网络节点'.repeat(10) })
  await open(
    '/price-groups',
    { 'catalogue.priceGroups': { data: pageOf(long) }, 'catalogue.groups': { data: pageOf(group) } },
    'admin',
  )
  await choose(long.name, '应用折扣')
  const title = dialog.getByRole('heading', { level: 2 })
  await expect.element(title).toBeVisible()
  await page.viewport(390, 844)
  const lines = () =>
    Math.round(title.element().clientHeight / Number.parseFloat(getComputedStyle(title.element()).lineHeight))
  await expect.poll(lines).toBeGreaterThan(3)
  keyboardLeaves(508)
  await expect.poll(lines).toBe(2)
})

test('what the search finds stands over the keyboard', async () => {
  await open('/images', { 'images.list': { data: pageOf(image) }, 'orders.list': { data: [] } }, 'admin')
  await page.viewport(375, 667)
  await expect.element(main().getByLabelText('每页条数')).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  const last = dialog.getByRole('menuitem').last()
  await expect.element(last).toBeInTheDocument()
  keyboardLeaves(360)
  await expect
    .poll(() => {
      last.element().scrollIntoView({ block: 'nearest' })
      return unseen(last.element(), 360)
    })
    .toBe(0)
})

/** How much of it is out of the window's upper `height`. */
function unseen(element: Element, height: number): number {
  const { top, bottom } = element.getBoundingClientRect()
  const whole = Math.min(bottom - top, height)
  return Math.max(0, Math.round(whole - (Math.min(bottom, height) - Math.max(top, 0))))
}

function keyboardLeaves(height: number | null): void {
  if (!viewport) return
  if (height === null) Reflect.deleteProperty(viewport, 'height')
  else Object.defineProperty(viewport, 'height', { configurable: true, get: () => height })
  viewport.dispatchEvent(new Event('resize'))
}
