import fs from 'node:fs'
import type { IsoView, ServerView } from '@vps/shared/console.contract'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBooks } from '../setup/books.js'
import { signUp, waitFor, type Customer } from '../setup/customer.js'
import { startProduct, type Product } from '../setup/product.js'

let product: Product
let books: pg.Client
let lin: Customer
beforeAll(async () => {
  product = await startProduct({ env: { SIMULATED_INSTALL_MS: '500', SIMULATED_POWER_MS: '100' } })
  books = await openBooks(product)
  lin = await signUp(product)
  await lin.recharge(1000)
})
afterAll(async () => {
  await books.end()
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
})

test('a disc is booted from, and after a day it is out by itself, the machine running on and booting its disk again', async () => {
  const order = await lin.placeOrder()
  expect((await lin.call('POST', `/orders/${order.id}/pay`, {})).status).toBe(200)
  await waitFor(async () => (await lin.readOrder(order.id)).status === 'ACTIVE', 'the order to be running')
  const { serverId } = await lin.readOrder(order.id)
  const at = `/server-management/${serverId}`
  const read = async () => (await lin.call<ServerView>('GET', at)).body.data
  const quiet = () => waitFor(async () => (await read()).openJob === null, 'nothing to be under way')
  const restart = () => lin.call('POST', '/server-management/action', { serverId, action: 'restart' })

  const discs = (await lin.call<IsoView[]>('GET', `${at}/isos`)).body.data
  const [disc] = discs.filter(({ name }) => name.startsWith('Debian 12'))
  expect((await lin.call('POST', `${at}/iso`, { imageId: disc?.id, boots: true })).status).toBe(200)
  await waitFor(async () => (await read()).iso.inserted !== null, 'the disc to be in')
  expect(await read()).toMatchObject({ power: 'on', iso: { inserted: { name: disc?.name, boots: true } } })
  expect((await lin.call('POST', `${at}/rescue`, {})).body.message).toBe('光驱中有光盘，请先弹出光盘')

  // The clock of its drive, a day on.
  await books.query(
    `update inserted_isos set inserted_at = inserted_at - interval '1 day', eject_at = eject_at - interval '1 day'`,
  )
  await waitFor(async () => (await read()).iso.inserted === null, 'the disc to be out')
  const ejected = await books.query<{ asked_by: string | null; status: string }>(
    `select asked_by, status from jobs where kind = 'ejectIso'`,
  )
  expect(ejected.rows).toEqual([{ asked_by: null, status: 'SUCCEEDED' }])
  expect(await read()).toMatchObject({ power: 'on', iso: { bootedAt: expect.any(String) } })

  await quiet()
  await restart()
  await quiet()
  const wish = { serverId, action: 'resetPassword', newPassword: 'Wieder-Meins-7x' }
  expect((await lin.call('POST', '/server-management/action', wish)).status).toBe(200)
  // Our password was accepted: the machine's own system runs again.
  await waitFor(async () => (await read()).iso.bootedAt === null, 'the login to be proven')
})
