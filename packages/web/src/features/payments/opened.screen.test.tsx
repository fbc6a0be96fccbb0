/** What is read in a dialog stays, also once its payment is none of those that the list was asked for. */
import { expect, test } from 'vitest'
import { dialog, inDialog, pressOn } from '../../testing/act'
import { anyPayment } from '../../testing/operators-things'
import { main, open } from '../../testing/screen'
import { pageOf, payment } from '../../testing/things'

const summary = { data: { paid: 0, pending: 1, failed: 0, count: 1 } }

test('a payment that is asked for in its details is told there as paid, not gone with the list of those awaited', async () => {
  const waiting = { ...payment, status: 'PENDING' } as const
  const paid = { data: { ...payment, status: 'SUCCESS' } as const }
  await open('/payment/history?status=PENDING', {
    'payments.list': [{ data: pageOf(waiting) }, { data: pageOf() }],
    'payments.summary': summary,
    'payments.status': paid,
  })
  await pressOn('查看详情')
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
