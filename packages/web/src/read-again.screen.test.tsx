import { expect, test } from 'vitest'
import { type Act } from './testing/act'
import { customersActs } from './testing/customers-acts'
import { operatorsActs } from './testing/operators-acts'
import { answer, callsOf, open } from './testing/screen'
import type { CallPath, Script } from './testing/script'
import { id, order, payment } from './testing/things'

const acts: readonly Act[] = [...customersActs, ...operatorsActs]
const buttonOf = ({ send }: Act) => {
  if (typeof send === 'function') throw new Error('it is no button')
  return send
}

test.each([
  ['payments.cancel', 'payments.status', { data: { ...payment, status: 'CANCELLED' } }],
  ['wallet.open', 'wallet.get', { data: { balance: 0, updatedAt: order().createdAt } }],
  ['orders.cancel', 'orders.page', { data: order({ status: 'CANCELLED' }) }],
  ['orders.setLabels', 'orders.list', { data: order() }],
  ['orders.renameServer', 'orders.get', { data: order() }],
  ['backups.setSchedule', 'backups.list', { data: null }],
  ['migrations.start', 'migrations.list', { data: { id: id(601) } }],
  ['migrations.cancel', 'migrations.list', { data: null }],
] satisfies [CallPath, CallPath, Script[CallPath]][])(
  'after %s, its button is busy until %s was read anew: pressed on what is shown, it would be sent again',
  async (path, read, done) => {
    const act = acts.find((one) => one.path === path)!
    await open(act.at, act.beside, act.as)
    await act.reach?.()
    const button = buttonOf(act)
    await expect.element(button).toBeEnabled()
    await answer({ ...act.beside, [path]: done, [read]: 'no answer' })
    await button.click()
    await expect.poll(() => callsOf(path)).toHaveLength(1)
    await expect.poll(async () => (await callsOf(read)).length).toBeGreaterThan(0)
    await expect.element(button).toHaveAttribute('aria-busy', 'true')
    await answer({ ...act.beside, [path]: done })
    await expect.poll(() => button.elements().every((one) => !one.hasAttribute('aria-busy'))).toBe(true)
  },
)
