/** What is read in a dialog stays, also once its payment is none of those that the list was asked for. */
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, inDialog, pressOn } from '../../testing/act'
import { anyPayment } from '../../testing/operators-things'
import { answer, callsOf, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { id, pageOf, payment, transaction } from '../../testing/things'

const summary = { data: { paid: 0, pending: 1, failed: 0, count: 1 } }

test('a payment that is asked for in its details is told there as paid, not gone with the list of those awaited', async () => {
  const waiting = { ...payment, status: 'PENDING' } as const
  const paid = { data: { ...payment, status: 'SUCCESS' } as const }
  await open('/payment/history?status=PENDING', {
    'payments.list': [{ data: pageOf(waiting) }, { data: pageOf() }],
    'payments.summary': summary,
    'payments.status': paid,
  })
  await pressOn(`查看详情 ${waiting.outTradeNo}`)
  await inDialog('检查支付状态').click()
  await expect.element(main().getByText('没有符合条件的')).toBeInTheDocument()
  await expect.element(dialog.getByText('支付成功')).toBeVisible()
})

test('staff who ask the gateway from a payment’s details read the answer there', async () => {
  const waiting = anyPayment({ status: 'PENDING' })
  await open(
    '/payments?status=PENDING',
    {
      'payments.all': [
        { data: pageOf(waiting) },
        { data: pageOf() },
        { data: pageOf(anyPayment({ status: 'SUCCESS' })) },
      ],
      'payments.check': { data: { outcome: 'credited' } },
    },
    'admin',
  )
  await pressOn(`查看详情 ${waiting.outTradeNo}`)
  await inDialog('查询网关').click()
  await expect.element(dialog.getByText('支付成功')).toBeVisible()
})

const uncredited = {
  ...transaction,
  id: id(32),
  status: 'PENDING',
  balanceBefore: null,
  balanceAfter: null,
  completedAt: null,
} as const
const totals = { data: { income: 200, expense: 0, count: 1, pending: 0 } }

/** As a notification has it do beneath a dialog. */
const readListAgain = () =>
  page
    .getByRole('main')
    .getByRole('button', { name: '刷新', includeHidden: true })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))

test('a recharge whose details are open is told there as paid once it is, though the entry in its place is another', async () => {
  await open('/transactions', { 'wallet.page': { data: pageOf(uncredited) }, 'wallet.summary': totals })
  await pressOn(`查看详情 ${uncredited.transactionNumber}`)
  await expect.element(dialog.getByText('待处理')).toBeVisible()
  await answer({
    'wallet.page': { data: pageOf({ ...transaction, transactionNumber: 'T1' }) },
    'wallet.summary': totals,
    'payments.status': { data: { ...payment, status: 'SUCCESS' } },
  })
  readListAgain()
  await expect.element(dialog.getByText('已完成')).toBeVisible()
  await expect.element(dialog.getByText('待处理')).not.toBeInTheDocument()
})

test('one that was cancelled meanwhile is told so in its details', async () => {
  await open('/transactions', { 'wallet.page': { data: pageOf(uncredited) }, 'wallet.summary': totals })
  await pressOn(`查看详情 ${uncredited.transactionNumber}`)
  await expect.element(dialog.getByText('待处理')).toBeVisible()
  await answer({ 'wallet.page': { data: pageOf({ ...uncredited, status: 'CANCELLED' }) }, 'wallet.summary': totals })
  readListAgain()
  await expect.element(dialog.getByText('已取消')).toBeVisible()
})

test.each([
  ['in its row', () => main().getByRole('button', { name: '刷新状态' }), () => Promise.resolve()],
  ['in its details', () => inDialog('检查支付状态'), () => pressOn(`查看详情 ${payment.outTradeNo}`)],
] as const)(
  'a payment that is asked for %s is asked for once, and its button is busy until the answer',
  async (_, of, reach) => {
    const reads: Script = {
      'payments.list': { data: pageOf({ ...payment, status: 'PENDING' } as const) },
      'payments.summary': summary,
    }
    await open('/payment/history', { ...reads, 'payments.status': 'no answer' })
    await reach()
    const button = of()
    await button.click()
    await expect.element(button).toHaveAttribute('aria-busy', 'true')
    await expect.poll(() => callsOf('payments.status')).toHaveLength(1)
    await button.click({ force: true })
    expect(await callsOf('payments.status')).toHaveLength(1)
  },
)

test('the act in the details of a payment is the last of its buttons, as everywhere', async () => {
  await open('/payment/history', {
    'payments.list': { data: pageOf({ ...payment, status: 'PENDING' } as const) },
    'payments.summary': summary,
  })
  await pressOn(`查看详情 ${payment.outTradeNo}`)
  await expect.element(inDialog('检查支付状态')).toBeVisible()
  expect(dialog.getByRole('button').elements().at(-1)?.textContent).toBe('检查支付状态')
})
