import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import { answer, callsOf, expectSoundEverywhere, open } from './screen'
import type { CallPath, Script } from './script'

export interface Act {
  from: string
  path: CallPath
  as: 'visitor' | 'customer' | 'admin'
  at: string
  beside: Script
  reach?: () => Promise<unknown>
  send: Locator | (() => Promise<unknown>)
  /** A switch lies under its drawing. */
  force?: boolean
  told: Locator
  foreign?: string
  kept?: readonly (readonly [Locator, string])[]
  /** Sent under a key: a lost answer is asked for again. */
  keyed?: true
}

const refusal = '服务器认为现在不行'
const refused = { refused: 'STATE_CHANGED', message: refusal } as const

/** A refusal and a lost answer of each. */
export function describeActs(acts: readonly Act[]): void {
  describe.each(acts)('$path from $from', (act) => {
    test('says in its place that somebody else answered and what the server refuses, and loses nothing', async () => {
      await reach(act, { [act.path]: ['a proxy’s page', refused] })
      await press(act)
      await expect.element(act.told.getByText(act.foreign ?? text.serverError, { exact: true }).first()).toBeVisible()
      await press(act)
      await expect.element(act.told.getByText(refusal).first()).toBeVisible()
      // At the top of the page nobody knows where they were.
      await expect.poll(() => document.activeElement).not.toBe(document.body)
      await expectSoundEverywhere()
      await expectKept(act)
      await press(act)
      await expect.poll(() => callsOf(act.path)).toHaveLength(3)
    })

    test('tells that its answer is lost, and asks again under its key; without one it can be sent again', async () => {
      await reach(act, { [act.path]: act.keyed ? ['lost', 'no answer'] : 'lost' })
      await press(act)
      await expect.element(act.told.getByText(act.keyed ? checking : text.networkError).first()).toBeVisible()
      await (act.keyed ? expectAskedAgain(act) : expectSentAgain(act))
    })
  })
}

const checking = '网络连接错误，正在确认结果…'

async function expectAskedAgain(act: Act): Promise<void> {
  await expect.poll(() => callsOf(act.path)).toHaveLength(2)
  const [first, again] = await callsOf(act.path)
  expect(first).toHaveProperty('idempotencyKey', expect.any(String))
  expect(again).toEqual(first)
  await answer({ ...act.beside, [act.path]: refused })
  await expect.element(act.told.getByText(refusal).first()).toBeVisible()
  await expect.element(act.told.getByText(checking)).not.toBeInTheDocument()
  await expectKept(act)
  await press(act)
  await expect.poll(() => callsOf(act.path)).toHaveLength(1)
  expect((await callsOf(act.path))[0]).not.toEqual(first)
}

async function expectSentAgain(act: Act): Promise<void> {
  await expectKept(act)
  await press(act)
  await expect.poll(() => callsOf(act.path)).toHaveLength(2)
  const [first, again] = await callsOf(act.path)
  expect(again).toEqual(first)
}

async function reach({ at, beside, as, reach }: Act, answers: Script): Promise<void> {
  await open(at, { ...beside, ...answers }, as)
  await reach?.()
}

async function press({ send, force = false }: Act): Promise<void> {
  if (typeof send === 'function') return void (await send())
  // A click by force does not wait for it as others do.
  if (force) await expect.element(send).toBeEnabled()
  await send.click({ force })
}

async function expectKept({ kept = [] }: Act): Promise<void> {
  for (const [field, value] of kept) await expect.element(field).toHaveValue(value)
}

export const dialog = page.getByRole('dialog')
export const question = page.getByRole('alertdialog')
export const notices = page.getByRole('region', { name: '通知' })

/** By its whole name. */
export const inDialog = (name: string): Locator => dialog.getByRole('button', { name, exact: true })
export const inQuestion = (name: string): Locator => question.getByRole('button', { name, exact: true })
/** By its whole label. */
export const field = (label: string): Locator => page.getByLabelText(label, { exact: true })

/** In the screen's own part, by its whole name or by what it is like. */
export const pressOn = (name: string | RegExp): Promise<void> =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()

/** A console's page, as a hint has it do beneath a question. */
export const readAgain = (): void =>
  void page
    .getByRole('button', { name: '刷新数据', includeHidden: true })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))

/** `of` names the menu. */
export async function choose(of: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `${of} 的更多操作` }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}
