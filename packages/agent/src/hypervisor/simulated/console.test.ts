import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quickHost, temporaryFolder } from '../../testing/agent.js'
import { listen, testConsoles } from '../../testing/console-contract.js'
import { machine } from '../../testing/machines.js'
import type { Hypervisor } from '../hypervisor.js'
import { pictureSize } from './picture.js'

const folder = temporaryFolder()
const serverId = randomUUID()
let hypervisor: Hypervisor
beforeAll(async () => {
  hypervisor = quickHost(folder.path)
  await hypervisor.open()
  const made = { epoch: 1, number: 1 }
  await hypervisor.createDisk(serverId, machine(), made)
  await hypervisor.define(serverId, machine(), made)
  await hypervisor.start(serverId)
})
afterAll(folder.remove)

const key = (code: number, down = 1) => {
  const message = Buffer.alloc(8)
  message[0] = 4
  message[1] = down
  message.writeUInt32BE(code, 4)
  return message
}
const request = (changesOnly: 0 | 1) => Buffer.from([3, changesOnly, 0, 0, 0, 0, 0, 16, 0, 16])
const pictureBytes = 16 + pictureSize.width * pictureSize.height * 4

async function openScreen() {
  const screen = await hypervisor.openConsole(serverId, 'screen')
  const heard = listen(screen)
  screen.write('RFB 003.008\n')
  screen.write(Buffer.from([1, 1]))
  const greeting = 12 + 2 + 4 + 24 + Buffer.byteLength('模拟服务器')
  await expect.poll(() => heard.bytes().length).toBe(greeting)
  return { screen, ...heard, pictures: () => (heard.bytes().length - greeting) / pictureBytes }
}

test('the picture changes with a key and the pointer, and nothing is sent where nothing changed', async () => {
  const { screen, pictures, bytes } = await openScreen()
  screen.write(request(0))
  await expect.poll(pictures).toBe(1)
  screen.write(request(1))
  screen.write(key(0x61))
  await expect.poll(pictures).toBe(2)
  const [before, after] = [-2, -1].map((from) =>
    bytes().subarray(bytes().length + from * pictureBytes, bytes().length + (from + 1) * pictureBytes),
  )
  expect(before?.equals(after ?? Buffer.alloc(0))).toBe(false)
  screen.write(key(0x61, 0))
  screen.write(Buffer.from([5, 0, 0, 10, 0, 10]))
  screen.write(request(1))
  await expect.poll(pictures).toBe(3)
  screen.destroy()
})

test('every cut of what a client says is understood, and nonsense ends it', async () => {
  const { screen, pictures, ended } = await openScreen()
  const said = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]),
    Buffer.from([2, 0, 0, 1, 0, 0, 0, 0]),
    Buffer.from([6, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]),
    request(0),
  ])
  for (const byte of said) screen.write(Buffer.from([byte]))
  await expect.poll(pictures).toBe(1)
  screen.write(Buffer.from([99]))
  await expect.poll(ended).toBe(true)
})

test('the serial line shows what is typed but the password, and lets nobody in', async () => {
  const serial = await hypervisor.openConsole(serverId, 'serial')
  const { text } = listen(serial)
  serial.write('rood\x7ft\r')
  await expect.poll(text).toContain('rood\b \bt\r\nPassword: ')
  serial.write('Secret-1\r')
  await expect.poll(text).toContain('nobody can log in')
  expect(text()).not.toContain('Secret-1')
  serial.destroy()
})

testConsoles(() => ({ hypervisor, serverId }))
