import { mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { auditBooks, openBooks } from '../setup/books.js'
import { signIn, signUp, waitFor, type Customer } from '../setup/customer.js'
import { makeDataDir, startProduct, type Product } from '../setup/product.js'
import {
  guestImage,
  makeHostFolder,
  patient,
  putFaultyVirsh,
  qemuOf,
  settingsOf,
  sshLogin,
  startAgentProcess,
  virsh,
} from './host.js'

/**
 * Two hosts on one libvirt, by two of its addresses: the first fails, the second takes part only where a test says so.
 */

const firstUri = 'qemu:///system'
const secondUri = 'qemu+unix:///system'
const lasting = '/run/virsh-fault-lasting'
const chosen = { initialPassword: 'Where-It-Ends-Up-8', sshPort: 22822 }
const first = makeHostFolder(null)
const second = makeHostFolder('debian-12.qcow2')
const dataDir = makeDataDir()
const storage = path.join(first.folder, 'small')
let takeAway = async () => {}
let product: Product
let agent: ReturnType<typeof startAgentProcess>
let customer: Customer
let admin: Customer
let secondHost: string
let activeServer: string | null = null

beforeAll(async () => {
  takeAway = await putFaultyVirsh(first)
  // The demo's gateway is on this host's bridge.
  await run('ip', ['address', 'add', '10.66.0.1/20', 'dev', 'br0'])
  mkdirSync(storage)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=60g', 'tmpfs', storage])
  await run('cp', [guestImage(), path.join(first.imagesDir, 'debian-12.qcow2')])
  const blank = path.join(first.imagesDir, 'ubuntu-24.04.qcow2')
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', blank, '1G'])
  product = await startProduct({ dataDir, env: { ...common, ...firstSettings } })
  customer = await signUp(product)
  await customer.recharge(300)
  admin = await signIn(product, 'admin', 'Admin-demo-1')
  await enrolSecond()
})
afterAll(async () => {
  await agent?.kill('SIGKILL')
  await product?.stop()
  if (activeServer) await openVirsh(settingsOf(second)).remove(activeServer)
  await run('ip', ['address', 'del', '10.66.0.1/20', 'dev', 'br0'])
  await run('umount', ['-l', storage])
  await takeAway()
})
afterEach(() => writeFileSync(lasting, ''))

// Software emulation: KVM may be advertised here and not work. Two agents on one machine would clear one another's
// guards away.
const common = { HYPERVISOR: 'virsh', DOMAIN_TYPE: 'qemu', ADDRESS_GUARD: 'off', BANDWIDTH: 'off' }
const firstSettings = {
  LIBVIRT_URI: firstUri,
  STORAGE: storage,
  IMAGES: first.imagesDir,
  // No guest ever comes up there.
  BOOT_TIMEOUT_SECONDS: '120',
}

type HostView = { id: string; name: string; status: string; alive: boolean; images: string[] } & Record<
  'groups' | 'pools',
  { id: string }[]
>
const hosts = async () => (await admin.call<{ content: HostView[] }>('GET', '/hosts')).body.data.content
const has = async (id: string | null, image: string) =>
  (await hosts()).some((host) => host.alive && host.images.includes(image) && (id === null || host.id === id))

/** Serves what the first one does, and takes nothing yet. */
async function enrolSecond(): Promise<void> {
  await waitFor(() => has(null, 'ubuntu-24.04.qcow2'), 'the first host to tell of its images')
  const serving = (await hosts()).find(({ alive }) => alive)!
  const serves = { groupIds: serving.groups.map(({ id }) => id), poolIds: serving.pools.map(({ id }) => id) }
  const made = await admin.call<{ id: string; token: string }>('POST', '/hosts', { name: 'kvm-2', ...serves })
  secondHost = made.body.data.id
  agent = startAgentProcess(second, {
    ...common,
    API_URL: product.url,
    ENROLMENT_TOKEN: made.body.data.token,
    LIBVIRT_URI: secondUri,
  })
  await waitFor(() => has(secondHost, 'debian-12.qcow2'), 'the second host to be there')
  await takesOrders('MAINTENANCE')
}

const takesOrders = async (status: 'READY' | 'MAINTENANCE') =>
  expect((await admin.call('PUT', `/hosts/${secondHost}/status`, { status })).status).toBe(200)

/** From here on, virsh of this host never does this verb as it should. */
const failing = (uri: string, verb: string, kind: string) => writeFileSync(lasting, `${uri} ${verb} ${kind}\n`)

async function buy(changes: object = {}) {
  const before = await customer.balance()
  const { id, amount } = await customer.placeOrder({ osName: 'Debian', osVersion: '12', ...chosen, ...changes })
  const paid = await customer.call('POST', `/orders/${id}/pay`)
  expect(paid.status, JSON.stringify(paid.body)).toBe(200)
  expect(await customer.balance()).toBe(before - amount)
  const { serverId } = await customer.readOrder(id)
  return { id, amount, before, serverId: serverId! }
}
type Bought = Awaited<ReturnType<typeof buy>>

const status = async ({ id }: Bought) => (await customer.readOrder(id)).status

/** Where no host succeeds, once the first has cleaned up. */
async function endOf(bought: Bought) {
  await waitFor(async () => (await status(bought)) === 'CANCELLED', 'the order to be given back', patient.bootMs)
  const { cancelReason } = await customer.readOrder(bought.id)
  const balance = await customer.balance()
  return { cancelReason, balance, left: await leftOf(bought) }
}

/** The whole price is back, and nothing of the machine is left. */
const refunded = ({ before }: Bought, reason: string) => ({
  cancelReason: `安装失败：${reason}`,
  balance: before,
  left: [],
})

/** What the first host has left: waits until that is nothing. */
async function leftOf({ serverId }: Bought): Promise<string[]> {
  const files = () => readdirSync(storage).filter((name) => name.startsWith(serverId))
  await waitFor(async () => files().length === 0, 'the first host to be clean', patient.actMs)
  return serverId === activeServer
    ? []
    : (await virsh(['list', '--all', '--name'])).split('\n').filter((name) => name.includes(serverId))
}

test('a host whose virsh never defines a machine gives the order to another one, where it becomes ACTIVE for its one price', async () => {
  failing(firstUri, 'define', 'speaks another language')
  const bought = await buy()
  await waitFor(async () => (await status(bought)) === 'PROCESSING', 'the first host to try')
  await takesOrders('READY')
  activeServer = bought.serverId
  await waitFor(async () => (await status(bought)) === 'ACTIVE', 'the order to be ACTIVE', patient.bootMs)
  await takesOrders('MAINTENANCE')
  const files = readdirSync(second.storageDir).filter((name) => name.startsWith(bought.serverId))
  expect(files.map((name) => name.split('.').at(-1)).toSorted()).toEqual(['log', 'qcow2'])
  const { ipAddress } = await customer.readOrder(bought.id)
  expect(await sshLogin(ipAddress!, chosen.sshPort, chosen.initialPassword, 'id -un')).toBe('root')
  expect(await customer.balance()).toBe(bought.before - bought.amount)
  expect(await leftOf(bought)).toEqual([])
})

test.each([
  ['define', 'floods', '定义虚拟机失败'],
  ['start', 'lies', '系统启动时意外关机'],
])(
  'where no other host is left and virsh %s always %s, the order is given back with the reason',
  async (verb, kind, reason) => {
    failing(firstUri, verb, kind)
    const bought = await buy()
    expect(await endOf(bought)).toEqual(refunded(bought, reason))
  },
)

test('an image that holds no system costs nothing, and nobody else can buy it then', async () => {
  const system = { osName: 'Ubuntu', osVersion: '24.04 LTS' }
  const bought = await buy(system)
  expect(await endOf(bought)).toEqual(refunded(bought, '所选系统的镜像无法启动'))
  const { id } = await customer.placeOrder({ ...system, ...chosen })
  expect((await customer.call('POST', `/orders/${id}/pay`)).body).toMatchObject({ code: 'NO_STOCK' })
})

test('a QEMU that stops while its guest boots costs nothing, and its image is sold on', async () => {
  const bought = await buy()
  await waitFor(() => boots(bought), 'the guest to boot')
  process.kill(qemuOf(bought.serverId), 'SIGSTOP')
  expect(await endOf(bought)).toEqual(refunded(bought, '虚拟机没有响应'))
})

/** Its start is over: a stop before would fail it, and the next try boots a well machine. */
const boots = async ({ serverId }: Bought) =>
  (await customer.call<{ percentage: number }>('GET', `/server-management/${serverId}/install`)).body.data.percentage >=
  startedPercentage
const startedPercentage = 35

test('a storage that is full while a guest boots costs nothing, and the reason is told', async () => {
  const bought = await buy()
  await waitFor(() => boots(bought), 'the guest to boot')
  await waitFor(filled, 'the storage to be full')
  expect(await endOf(bought)).toEqual(refunded(bought, '宿主机存储空间不足'))
})

/** No byte more than is used now. */
async function filled(): Promise<boolean> {
  const { blocks, bfree, bsize } = statfsSync(storage)
  await run('mount', ['-o', `remount,size=${(blocks - bfree) * bsize}`, storage])
  return true
}

test('after all that the books are right', async () => {
  const books = await openBooks(product)
  expect(await auditBooks(books)).toEqual([])
  await books.end()
})
