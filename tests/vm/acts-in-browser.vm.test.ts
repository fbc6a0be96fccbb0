import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { startApp, type TestApp } from '../../packages/api/src/testing/app.js'
import { person, type Person } from '../../packages/api/src/testing/people.js'
import { openShop, type Shop } from '../../packages/api/src/testing/shop.js'
import { inBrowser } from './browser.js'
import {
  bannerFrom,
  makeHostFolder,
  openNamespace,
  rescueImage,
  settingsOf,
  sshLogin,
  startAgentProcess,
} from './host.js'
import { addRealHost } from './real-host.js'

/** Each act is seen on the machine over SSH. The tests follow each other. */

const enrolmentToken = 'enrolment-token-of-the-ways'
const password = 'Bought-With-Backups-5'
const sshPort = 22722
const gateway6 = 'fd00:77::1'
const folder = makeHostFolder('debian-12.qcow2')
const outside = await openNamespace()
let api: TestApp
let shop: Shop
let customer: Person
let agent: ReturnType<typeof startAgentProcess>
let orderId: string
let serverName: string
let serverId: string
let address: string

beforeAll(async () => {
  copyFileSync(rescueImage(), path.join(folder.imagesDir, 'rescue.qcow2'))
  const there = String(outside.pid)
  await run('ip', ['link', 'add', 'outside', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', there])
  await run('ip', ['link', 'set', 'outside', 'master', 'br0', 'up'])
  await within('ip', 'address', 'add', '10.77.0.50/24', 'dev', 'eth0')
  await within('ip', 'address', 'add', 'fd00:77::50/64', 'dev', 'eth0', 'nodad')
  await run('ip', ['address', 'add', `${gateway6}/64`, 'dev', 'br0', 'nodad'])
  await within('ip', 'link', 'set', 'eth0', 'up')
  api = await startApp()
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  shop = await openShop(api)
  await addRealHost(api, shop, enrolmentToken)
  await addIpv6()
  await api.db.updateTable('price_groups').set({ most_backups: 1, snapshots: 1 }).execute()
  customer = await person(api, 'lin', { yuan: 100 })
  const admin = await person(api, 'boss', { admin: true })
  const rescue = { osName: '救援系统', osVersion: '1', file: 'rescue.qcow2', kind: 'rescue' }
  expect((await admin.post('/images', rescue)).status).toBe(200)
  const repository = { url: path.join(folder.folder, 'repository'), password: 'Of-The-Repository-1', version: 0 }
  expect((await admin.put('/backup-repository', repository)).status).toBe(200)
  const { port } = api.app.server.address() as AddressInfo
  agent = startAgentProcess(folder, { API_URL: `http://127.0.0.1:${port}`, ENROLMENT_TOKEN: enrolmentToken })
})
afterAll(async () => {
  outside.kill('SIGKILL')
  await agent?.kill('SIGKILL')
  await api?.close()
  // Other tests share this libvirt.
  if (!serverId) return
  const hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.cutPower(serverId)
  await hypervisor.remove(serverId)
})

/** Beside IPv4, on the same bridge. */
async function addIpv6(): Promise<void> {
  const pool_id = randomUUID()
  const { id: host_id } = await api.db.selectFrom('hosts').select('id').executeTakeFirstOrThrow()
  const pool = { id: pool_id, name: 'bridge-6', network: 'fd00:77::/64', gateway: gateway6, created_at: api.deps.now() }
  await api.db.insertInto('ip_pools').values(pool).execute()
  await api.db.insertInto('host_ip_pools').values({ host_id, pool_id }).execute()
  await api.db.insertInto('addresses').values({ pool_id, address: 'fd00:77::10' }).execute()
}

/** Until let go, the host is refused at the machine's port: the login cannot be proven. */
async function holdProof(): Promise<() => Promise<unknown>> {
  const chain = `chain output { type filter hook output priority 0; tcp dport ${sshPort} reject with tcp reset; }`
  await run('nft', [`add table inet hold { ${chain}; }`])
  return () => run('nft', ['delete table inet hold'])
}

const within = (...command: string[]) => run('nsenter', ['-t', String(outside.pid), '-n', ...command])
const reaches = async (at = address) => (await bannerFrom(String(outside.pid), at, sshPort)) === 'SSH-'
const onMachine = (command: string, as = password, at = address) => sshLogin(at, sshPort, as, command)
const readServer = async () => (await customer.get(`/server-management/${serverId}`)).body.data
const readOrder = async () => (await customer.get(`/orders/${orderId}`)).body.data
/** A backup reads and writes the whole smallest disk, beside other hosts. */
const slowly = { timeout: 300_000, interval: 200 }
vi.setConfig({ testTimeout: 600_000 })

async function inChromium(at: string, act: (page: Page) => Promise<void>): Promise<void> {
  const { port } = api.app.server.address() as AddressInfo
  const profile = (await customer.get('/auth/profile')).body
  await inBrowser(`http://127.0.0.1:${port}${at}`, customer.token, profile, async (page) => {
    page.setDefaultTimeout(slowly.timeout)
    await act(page)
  })
}

const inConsole = (part: string, act: (page: Page) => Promise<void>) =>
  inChromium(`/server-manage/${orderId}?part=${part}`, act)

async function press(on: Page | Locator, name: string | RegExp): Promise<void> {
  const button = on.getByRole('button', { name, exact: true })
  await expect.poll(() => button.getAttribute('aria-disabled'), slowly).not.toBe('true')
  await button.click()
}

/** Shown until it is looked away from. */
const told = async (page: Page, what: string) => {
  const notices = page.getByRole('region', { name: '通知' })
  await expect.poll(() => notices.textContent(), slowly).toMatch(new RegExp(`${what}|失败`))
  expect(await notices.textContent()).toContain(what)
}
const card = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })

test('a server that is bought with a backup is watched on its screen while it is installed, and becomes ACTIVE', async () => {
  const letGo = await holdProof()
  await vi.waitFor(async () => {
    const config = { cpuCores: 1, memoryGb: 1, storageGb: 20, bandwidthMbps: 10, backups: 1 }
    const placed = await customer.post('/orders', { ...shop.order, ...config, initialPassword: password, sshPort })
    expect(placed.status).toBe(200)
    orderId = placed.body.data.id
    expect((await customer.post(`/orders/${orderId}/pay`)).status).toBe(200)
  }, slowly)
  serverId = (await readOrder()).serverId
  await inChromium(`/server-install-progress/${serverId}`, async (page) => {
    await page.getByRole('link', { name: '远程连接' }).click()
    await page.getByText('已连接', { exact: true }).waitFor()
    // A text screen is some 700 pixels wide.
    const screen = page.locator('canvas').first()
    await expect.poll(async () => (await screen.boundingBox())?.width, slowly).toBeGreaterThan(300)
    expect(await readOrder()).toMatchObject({ status: 'PROCESSING' })
  })
  await letGo()
  await vi.waitFor(async () => expect(await readOrder()).toMatchObject({ status: 'ACTIVE' }), slowly)
  const order = await readOrder()
  address = order.ipAddress
  serverName = order.serverName
  expect(await onMachine('id -un')).toBe('root')
})

test('the IPv6 address that the console shows is logged in to, and reached from outside', async () => {
  const { ipAddresses } = await readServer()
  const six = ipAddresses.at(-1)
  await inConsole('network', async (page) => {
    await card(page, '地址与登录').getByText(six, { exact: true }).first().waitFor()
  })
  expect(await onMachine('id -un', password, six)).toBe('root')
  expect(await reaches(six)).toBe(true)
})

test('an address that is bought in the browser is logged in to from outside, without a restart', async () => {
  const bootOf = (at: string) => onMachine('cat /proc/sys/kernel/random/boot_id', password, at)
  const boot = await bootOf(address)
  await inConsole('network', async (page) => {
    const dialog = page.getByRole('dialog')
    await press(page, '增加 IP 地址')
    await dialog.getByRole('slider', { name: 'IP 数量' }).press('ArrowRight')
    await press(dialog, '确认升级')
    await told(page, '升级配置完成')
  })
  const { ipAddresses } = await readServer()
  const [, second] = ipAddresses
  await inConsole('network', async (page) => {
    await card(page, '附加 IP 地址').getByText(second, { exact: true }).waitFor()
    await card(page, '附加 IP 地址').getByText('已生效').waitFor()
  })
  expect(await bootOf(second)).toBe(boot)
  expect(await reaches(second)).toBe(true)
})

test('a port that is closed in the browser is closed from outside, and open again afterwards', async () => {
  expect(await reaches()).toBe(true)
  await inConsole('network', async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('switch', { name: '启用防火墙' }).click({ force: true })
    const inbound = page.getByRole('radiogroup', { name: '入站默认' })
    await inbound.getByRole('radio', { name: '拒绝' }).check({ force: true })
    await press(page, '保存并应用')
    await expect.poll(() => reaches(), slowly).toBe(false)
    await press(page, '添加规则')
    await dialog.getByLabel('目标端口').fill(String(sshPort))
    await press(dialog, '加入列表')
    await press(page, '保存并应用')
    await expect.poll(() => reaches(), slowly).toBe(true)
  })
})

test('what was written after a snapshot is gone when it is reverted, and what was before is back', async () => {
  await onMachine('echo before > /root/kept && sync')
  await inConsole('disk', async (page) => {
    const snapshots = card(page, '快照')
    await press(snapshots, '创建快照')
    await page.getByRole('alertdialog').getByRole('textbox').fill('之前')
    await press(page.getByRole('alertdialog'), '确认创建快照')
    await told(page, '创建快照完成')
    await onMachine('echo after > /root/kept && touch /root/later && sync')
    await press(snapshots, '恢复 之前')
    await page.getByRole('alertdialog').getByRole('textbox').fill(serverName)
    await press(page.getByRole('alertdialog'), '确认恢复快照')
    await told(page, '恢复快照完成')
  })
  expect(await onMachine('cat /root/kept; ls /root/later 2> /dev/null || true')).toBe('before')
})

test('a backup that is made and brought back in the browser is the disk as it was', async () => {
  await inConsole('disk', async (page) => {
    const backups = card(page, '备份')
    await press(backups, '创建备份')
    await press(page.getByRole('alertdialog'), '确认创建备份')
    await told(page, '创建备份完成')
    await onMachine('echo lost > /root/kept && sync')
    await press(backups, /^恢复 .* 的备份$/)
    await page.getByRole('alertdialog').getByRole('textbox').fill(serverName)
    await press(page.getByRole('alertdialog'), '确认恢复备份')
    await told(page, '恢复备份完成')
  })
  expect(await onMachine('cat /root/kept')).toBe('before')
})

test('in rescue the one-time password of the page logs in and reads the disk, and the own system comes back', async () => {
  await inConsole('security', async (page) => {
    await press(page, '进入救援模式')
    await press(page.getByRole('alertdialog'), '确认进入救援模式')
    const state = page.getByRole('region', { name: '救援模式' })
    await press(state, '显示密码')
    const shown = state.getByRole('textbox')
    await expect.poll(() => shown.inputValue(), slowly).not.toMatch(/^\*+$/)
    const once = await shown.inputValue()
    expect(once).not.toBe(password)
    expect(await onMachine('mount -o ro /dev/vdb1 /mnt && cat /mnt/root/kept && umount /mnt', once)).toBe('before')
    await press(state, '退出救援模式')
    await press(page.getByRole('alertdialog'), '确认退出救援模式')
    await told(page, '退出救援模式完成')
  })
  expect(await onMachine('cat /root/kept')).toBe('before')
})

test('no log holds a password', () => {
  expect(api.logged() + agent.printed()).not.toContain(password)
})
