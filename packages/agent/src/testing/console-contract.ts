import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { type Hypervisor, NothingToShow } from '../hypervisor/hypervisor.js'

/** What came out so far, and whether it ended. */
export function listen(line: Duplex) {
  const heard: Buffer[] = []
  let ended = false
  line.on('error', () => {})
  line.on('data', (data: Buffer) => heard.push(data)).once('close', () => (ended = true))
  return { text: () => Buffer.concat(heard).toString('latin1'), bytes: () => Buffer.concat(heard), ended: () => ended }
}

/** On a newly started machine. */
export function testConsoles(given: () => { hypervisor: Hypervisor; serverId: string }): void {
  const open = (kind: 'screen' | 'serial') => given().hypervisor.openConsole(given().serverId, kind)

  test('a screen speaks RFB without a password and shows its picture, to whoever comes after another, too', async () => {
    for (let n = 0; n < 20; n++) {
      const screen = await open('screen')
      const { text, bytes } = listen(screen)
      await expect.poll(text).toBe('RFB 003.008\n')
      screen.write('RFB 003.008\n')
      await expect.poll(() => bytes().subarray(12)).toEqual(Buffer.from([1, 1]))
      screen.write(Buffer.from([1]))
      await expect.poll(() => bytes().subarray(14)).toEqual(Buffer.alloc(4))
      screen.write(Buffer.from([1]))
      await expect.poll(() => bytes().length).toBeGreaterThan(18 + 24)
      const width = bytes().readUInt16BE(18)
      expect(width).toBeGreaterThanOrEqual(640)
      const before = bytes().length
      screen.write(Buffer.from([3, 0, 0, 0, 0, 0, 0, 16, 0, 16]))
      await expect.poll(() => bytes().length).toBeGreaterThan(before + 16 * 16 * 4)
      screen.destroy()
    }
  })

  test('a serial line asks for a login, and tells who comes later what it has said since the start', async () => {
    const first = await open('serial')
    await expect.poll(listen(first).text, { timeout: 240_000 }).toContain('login:')
    first.destroy()
    const serial = await open('serial')
    const { text } = listen(serial)
    await expect.poll(text).toContain('login:')
    serial.write('root\r')
    await expect.poll(text, { timeout: 120_000 }).toContain('Password:')
    serial.destroy()
  }, 400_000)

  test('both end with the machine, which has nothing to show when it is off, nor one that is not there', async () => {
    const { hypervisor, serverId } = given()
    const ends = [listen(await open('screen')), listen(await open('serial'))]
    await hypervisor.cutPower(serverId)
    await expect.poll(() => ends.map(({ ended }) => ended()), { timeout: 60_000 }).toEqual([true, true])
    for (const kind of ['screen', 'serial'] as const) {
      await expect(open(kind)).rejects.toBeInstanceOf(NothingToShow)
      const missing = hypervisor.openConsole('0198c0de-0000-7000-8000-00000000ffff', kind)
      await expect(missing).rejects.toBeInstanceOf(NothingToShow)
    }
  }, 120_000)
}
