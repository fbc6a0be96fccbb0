import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, signUp, waitFor, type Customer } from '../setup/customer.js'
import { makeDataDir, processesOf, startProduct, type Product } from '../setup/product.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { filesHolding, makeHostFolder, patient, settingsOf, sshLogin, virsh } from './host.js'

/** `HYPERVISOR=virsh npm start`, as built and as README.md says. The tests follow each other. */

const chosen = { initialPassword: 'Started-As-One-5', sshPort: 22522 }
const folder = makeHostFolder('debian-12.qcow2')
const dataDir = makeDataDir()
let product: Product
let customer: Customer
let orderId: string
let serverId: string
let address: string

beforeAll(async () => {
  // The demo's gateway is on this host's bridge.
  await run('ip', ['address', 'add', '10.66.0.1/20', 'dev', 'br0'])
  product = await start()
})
afterAll(async () => {
  await product?.stop()
  // Other tests share this libvirt.
  if (!serverId) return
  const hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.cutPower(serverId)
  await hypervisor.remove(serverId)
})

// Software emulation: KVM may be advertised here and not work.
const settings = { HYPERVISOR: 'virsh', DOMAIN_TYPE: 'qemu', STORAGE: folder.storageDir, IMAGES: folder.imagesDir }
const start = () => startProduct({ dataDir, env: settings })
const bootId = () => sshLogin(address, chosen.sshPort, chosen.initialPassword, 'cat /proc/sys/kernel/random/boot_id')

test('a server that is bought and paid over REST becomes ACTIVE on real libvirt', async () => {
  customer = await signUp(product)
  await customer.recharge(300)
  const placed = await customer.placeOrder({ osName: 'Debian', osVersion: '12', ...chosen })
  orderId = placed.id
  expect((await customer.call('POST', `/orders/${orderId}/pay`)).status).toBe(200)
  // Known early, so that nothing is left to the tests after this one.
  serverId = (await customer.readOrder(orderId)).serverId!
  await waitFor(
    async () => (await customer.readOrder(orderId)).status === 'ACTIVE',
    'the server to be up',
    patient.bootMs,
  )
  const order = await customer.readOrder(orderId)
  address = order.ipAddress!
  expect(await virsh(['list', '--state-running', '--uuid'])).toBe(serverId)
})

test('its tenant logs in with the password and the port that were chosen', async () => {
  expect(await sshLogin(address, chosen.sshPort, chosen.initialPassword, 'id -un')).toBe('root')
})

test('a restart from the console boots the guest anew', async () => {
  const before = await bootId()
  const asked = await customer.call('POST', '/server-management/action', { serverId, action: 'restart' })
  expect(asked.status).toBe(200)
  await waitFor(async () => (await bootId()) !== before, 'the guest to come back', patient.bootMs)
})

test('stopped, it leaves no process and no password behind, and the guest runs on', async () => {
  expect(await product.stop()).toBe(0)
  expect(processesOf(dataDir)).toEqual([])
  expect(filesHolding(chosen.initialPassword, dataDir)).toEqual([])
  expect(await sshLogin(address, chosen.sshPort, chosen.initialPassword, 'id -un')).toBe('root')
})

test('started again, it carries on with the guest: a stop from the console switches it off', async () => {
  product = await start()
  customer = await signIn(product, customer.username, customer.password)
  const { status } = await customer.call('POST', '/server-management/action', { serverId, action: 'stop' })
  expect(status).toBe(200)
  await waitFor(
    async () => (await virsh(['list', '--state-running', '--uuid'])) === '',
    'the guest to be off',
    patient.bootMs,
  )
})
