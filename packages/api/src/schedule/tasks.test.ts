import { reconcileSeconds } from '@vps/shared/payments'
import { expect, test } from 'vitest'
import type { Queried } from '../gateway.js'
import { must } from '../must.js'
import { openWithGateway } from '../testing/gateway.js'
import { taskList } from './tasks.js'

test('a gateway that is silent holds one hand of the worker, however much is due: mails go on with the other', async () => {
  const { gateway, app, lin } = await openWithGateway()
  try {
    gateway.faults.notify = 'drop'
    for (let n = 0; n < 3; n++) await lin.post('/payment/create', { money: 200, type: 'alipay' })
    app.advance(must(reconcileSeconds[0]) * 1000 + 1000)
    const answers: ((answer: Queried) => void)[] = []
    const query = () => new Promise<Queried>((resolve) => answers.push(resolve))
    const { reconcile_payments: reconcile } = taskList({ ...app.deps, gateway: { ...must(app.deps.gateway), query } })
    const first = reconcile()
    await expect.poll(() => answers.length).toBe(1)
    await Promise.all([reconcile(), reconcile()]) // what they came for the first one finds
    expect(answers).toHaveLength(1)
    for (let n = 0; n < 3; n++) {
      await expect.poll(() => answers.length).toBeGreaterThan(n)
      answers[n]?.({ kind: 'unknown', reason: 'silent' })
    }
    await first
    expect(answers).toHaveLength(3)
  } finally {
    await app.close()
    await gateway.stop()
  }
})
