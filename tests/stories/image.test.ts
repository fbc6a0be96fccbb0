import fs from 'node:fs'
import type { PriceGroupView } from '@vps/shared/catalogue.contract'
import type { ImageView } from '@vps/shared/images.contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ImageSource } from '../../packages/agent/src/testing/image-source.js'
import { signIn, signUp, waitFor, type Customer } from '../setup/customer.js'
import { startProduct, type Product } from '../setup/product.js'

let product: Product
let source: ImageSource
let admin: Customer
beforeAll(async () => {
  source = new ImageSource(3_000_000)
  await source.listen()
  product = await startProduct({ env: { SIMULATED_INSTALL_MS: '500' } })
  admin = await signIn(product, 'admin', 'Admin-demo-1')
})
afterAll(async () => {
  await product.stop()
  await source.close()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
})

const system = { osName: 'Alpine', osVersion: '3.22', file: 'alpine-3.22.qcow2', minDiskGb: 1 }
const isOurs = ({ name }: { name: string }) => name === system.osName

async function presence(): Promise<ImageView['hosts'][number] | undefined> {
  const { body } = await admin.call<ImageView[]>('GET', '/images')
  return body.data.find(({ file }) => file === system.file)?.hosts[0]
}

test('an image that an operator enters by its address is fetched by the host, and a paid order is installed on it', async () => {
  // Half of it, until an operator has seen how far it is.
  source.misbehave = (request, response) => (source.serve(request, response, 1_500_000), true)
  const { url, sha256 } = source.image()
  expect((await admin.call('POST', '/images', { ...system, url, sha256 })).status).toBe(200)
  const lin = await signUp(product)
  await lin.recharge(1000)
  const offers = (await lin.call<PriceGroupView[]>('GET', '/price-groups/active')).body.data
  const offer = offers.find(({ osOptions, monthlyPrice }) => monthlyPrice > 0 && osOptions.some(isOurs))
  const order = await lin.placeOrder({
    priceGroupId: offer?.id,
    ...offer?.included,
    osName: system.osName,
    osVersion: system.osVersion,
  })
  expect((await lin.call('POST', `/orders/${order.id}/pay`, {})).body.code).toBe('NO_STOCK')

  await waitFor(async () => (await presence())?.status === 'running', 'the transfer to begin')
  await waitFor(async () => (await presence())?.bytes === 1_500_000, 'half of the image to be told')
  source.misbehave = () => false
  await source.close()
  await source.listen()
  await waitFor(async () => (await presence())?.status === 'ready', 'the image to be whole')
  expect(source.asked.some(({ headers }) => headers.range === 'bytes=1500000-')).toBe(true)

  expect((await lin.call('POST', `/orders/${order.id}/pay`, {})).status).toBe(200)
  await waitFor(async () => (await lin.readOrder(order.id)).status === 'ACTIVE', 'the order to be running')
  const logs = fs
    .readdirSync(`${product.dataDir}/logs`)
    .map((name) => fs.readFileSync(`${product.dataDir}/logs/${name}`, 'utf8'))
  expect(logs.join('\n') + product.printed()).not.toContain('geheim')
})
