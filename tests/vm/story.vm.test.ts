import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { remoteEnds, type RemoteKind } from '@vps/shared/remote'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { ImageSource } from '../../packages/agent/src/testing/image-source.js'
import { startApp, type TestApp } from '../../packages/api/src/testing/app.js'
import { view } from '../../packages/api/src/testing/remote.js'
import { person, type Person } from '../../packages/api/src/testing/people.js'
import { openShop, type Shop } from '../../packages/api/src/testing/shop.js'
import { inBrowser } from './browser.js'
import { addRealHost } from './real-host.js'
import { guestImage, makeHostFolder, patient, settingsOf, sshLogin, startAgentProcess, virsh } from './host.js'

/** From an image's address to SSH on the server. The tests follow each other. */

const enrolmentToken = 'enrolment-token-of-the-story'
const chosen = { initialPassword: 'Bought-And-Paid-5', sshPort: 22422 }
const folder = makeHostFolder(null)
const source = new ImageSource(0)
let api: TestApp
let shop: Shop
let customer: Person
let admin: Person
let agent: ReturnType<typeof startAgentProcess>
let orderId: string
let serverId: string
let address: string

beforeAll(async () => {
  api = await startApp()
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  shop = await openShop(api)
  await addRealHost(api, shop, enrolmentToken)
  customer = await person(api, 'lin', { yuan: 100 })
  admin = await person(api, 'boss', { admin: true })
  source.content = readFileSync(guestImage())
  await source.listen()
  agent = startAgent()
})
afterAll(async () => {
  await agent?.kill('SIGKILL')
  await source.close()
  await api?.close()
  // Other tests share this libvirt.
  if (serverId) await openVirsh(settingsOf(folder)).remove(serverId)
})

function startAgent() {
  const { port } = api.app.server.address() as AddressInfo
  return startAgentProcess(folder, { API_URL: `http://127.0.0.1:${port}`, ENROLMENT_TOKEN: enrolmentToken })
}

const until = async (look: () => Promise<unknown>, expected: unknown, timeout = patient.bootMs) =>
  vi.waitFor(async () => expect(await look()).toMatchObject(expected as object), { timeout, interval: 200 })
const readOrder = async () => (await customer.get(`/orders/${orderId}`)).body.data
const act = async (body: object) => {
  const reply = await customer.post('/server-management/action', { serverId, ...body })
  expect(reply.status).toBe(200)
  await until(async () => (await customer.get(`/jobs/${reply.body.data.jobId}`)).body.data, { status: 'SUCCEEDED' })
}

test('the image comes to the host from its address, is told as ready, and nothing else lies there', async () => {
  const system = { osName: 'Debian', osVersion: '12', file: 'debian-12.qcow2' }
  const { url, sha256 } = source.image()
  expect((await admin.put(`/images/${shop.imageId}`, { ...system, url, sha256 })).status).toBe(200)
  await until(async () => (await admin.get('/images')).body.data[0].hosts, [{ hostName: 'kvm-1', status: 'ready' }])
  expect(readdirSync(folder.imagesDir)).toEqual([system.file])
})

test('a bought and paid server is installed although its agent is killed with kill -9 in between, and becomes ACTIVE', async () => {
  const config = { cpuCores: 1, memoryGb: 1, storageGb: 20, bandwidthMbps: 10 }
  const placed = await customer.post('/orders', { ...shop.order, ...config, ...chosen })
  expect(placed.status).toBe(200)
  orderId = placed.body.data.id
  expect((await customer.post(`/orders/${orderId}/pay`)).status).toBe(200)
  serverId = (await readOrder()).serverId
  await until(installProgress, { installStatus: 'INSTALLING', percentage: 35 })
  await agent.kill('SIGKILL')
  agent = startAgent()
  await until(readOrder, { status: 'ACTIVE', server: { installStatus: 'COMPLETED' } })
  expect(await customer.balance()).toBe(70)
})

const installProgress = async () => (await customer.get(`/server-management/${serverId}/install`)).body.data

test('the customer logs in with the password and port that were chosen', async () => {
  const details = (await customer.get(`/server-management/${serverId}`)).body.data
  expect(details).toMatchObject({ sshPort: chosen.sshPort, username: 'root', osName: 'Debian' })
  address = details.ipAddress
  expect(await sshLogin(address, chosen.sshPort, chosen.initialPassword, 'id -un; nproc')).toBe('root\n1')
  expect(await virsh(['list', '--autostart', '--uuid'])).toBe(serverId)
})

const see = async (kind: RemoteKind) => {
  const { body } = await customer.post('/server-management/remote', { serverId, kind })
  return view(api.app, body.data.ticket)
}

test('in the browser its screen is there, and the customer logs in on its serial line by typing', async () => {
  const screen = await see('screen')
  await expect.poll(screen.heard, { timeout: patient.loginMs }).toBe('RFB 003.008\n')
  const serial = await see('serial')
  await expect.poll(serial.heard, { timeout: patient.loginMs }).toContain('login:')
  serial.say('root\r')
  await expect.poll(serial.heard, { timeout: patient.loginMs }).toContain('Password:')
  serial.say(`${chosen.initialPassword}\r`)
  await expect.poll(serial.heard, { timeout: patient.loginMs }).toContain('# ')
  serial.say('echo $((6 * 7))\r')
  await expect.poll(serial.heard, { timeout: patient.loginMs }).toContain('42')
  serial.say('exit\r')
  serial.socket.close()
  screen.socket.close()
})

test('an agent that is killed with kill -9 takes the screen with it at once, and the next brings it again', async () => {
  const before = await see('screen')
  await expect.poll(before.heard, { timeout: patient.loginMs }).toContain('RFB')
  await agent.kill('SIGKILL')
  await expect.poll(before.closed, { timeout: patient.loginMs }).toBe(remoteEnds.unreachable.code)
  agent = startAgent()
  const after = await see('screen')
  await expect.poll(after.heard, { timeout: patient.loginMs }).toContain('RFB')
  after.socket.close()
})

test('in Chromium the customer logs in on the machine’s screen by typing, and on its serial line', async () => {
  const { port } = api.app.server.address() as AddressInfo
  const profile = (await customer.get('/auth/profile')).body
  await inBrowser(`http://127.0.0.1:${port}/remote/${serverId}`, customer.token, profile, async (page) => {
    const connected = page.getByText('已连接', { exact: true })
    const type = async (line: string) => {
      await page.getByRole('button', { name: '粘贴文本' }).click()
      await page.getByLabel('要输入的文本').fill(`${line}\n`)
      await page.getByRole('button', { name: '输入到服务器' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await connected.waitFor()
    // Who reads the screen's keyboard is who the machine says it is.
    const reader = () =>
      onMachine('for p in /proc/[0-9]*; do [ "$(readlink $p/fd/0)" = /dev/tty1 ] && cat $p/comm; done; true')
    await type('root')
    await expect.poll(reader, slowly).toContain('login')
    await type(chosen.initialPassword)
    await expect.poll(reader, slowly).toMatch(/sh$/m)
    await type('echo "$(id -un) & co" > /root/typed')
    await expect.poll(() => onMachine('cat /root/typed || true'), slowly).toBe('root & co')

    await page.getByRole('radio', { name: '串口' }).check({ force: true })
    const rows = page.locator('.xterm-accessibility-tree')
    const shown = async () => (await rows.textContent())?.trimEnd()
    await connected.waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(shown, slowly).toMatch(/login:$/)
    await page.keyboard.type('root\n')
    await expect.poll(shown, slowly).toMatch(/Password:$/)
    await page.keyboard.type(`${chosen.initialPassword}\n`)
    await expect.poll(shown, slowly).toMatch(/#$/)
    await page.keyboard.type('echo $((6 * 9))\n')
    await expect.poll(shown, slowly).toContain('echo $((6 * 9))54')
    await page.keyboard.type('exit\n')
  })
})

const slowly = { timeout: patient.loginMs, interval: 500 }
const onMachine = (command: string) => sshLogin(address, chosen.sshPort, chosen.initialPassword, command)

test('the console shows it ONLINE with live figures, and the connection test answers', async () => {
  await until(async () => (await customer.get(`/server-management/${serverId}/monitoring`)).body.data, {
    status: 'ONLINE',
    cpuUsage: expect.any(Number),
    memoryUsage: expect.any(Number),
    diskUsage: expect.any(Number),
    uptime: expect.any(Number),
  })
  const tested = await customer.post(`/server-management/${serverId}/test-connection`)
  expect(tested.body.data).toMatchObject({ sshConnectable: true, latencyMs: expect.any(Number) })
})

test('a password reset from the console works on the machine at once', async () => {
  const fresh = 'From-The-Console-6'
  await act({ action: 'resetPassword', newPassword: fresh })
  expect(await sshLogin(address, chosen.sshPort, fresh, 'id -un')).toBe('root')
  await expect(sshLogin(address, chosen.sshPort, chosen.initialPassword, 'id -un')).rejects.toThrow('sshpass')
  expect((await customer.get(`/server-management/${serverId}/password`)).body.data).toMatchObject({ password: fresh })
  expect(api.logged() + agent.printed()).not.toContain(fresh)
})

test('stop and start from the console are seen on the host', async () => {
  await act({ action: 'stop' })
  expect(await virsh(['list', '--state-running', '--uuid'])).toBe('')
  expect((await customer.get(`/server-management/${serverId}`)).body.data).toMatchObject({ status: 'OFFLINE' })
  await act({ action: 'start' })
  expect(await virsh(['list', '--state-running', '--uuid'])).toBe(serverId)
  expect((await customer.get(`/server-management/${serverId}`)).body.data).toMatchObject({ status: 'ONLINE' })
})

test('no log holds a password', () => {
  expect(api.logged() + agent.printed()).not.toContain(chosen.initialPassword)
})
