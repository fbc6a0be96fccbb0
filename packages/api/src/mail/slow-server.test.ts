import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { portOf } from '../../../demo/src/port-of.js'
import { mailer } from '../deps.js'

const answers: Record<string, string> = { DATA: '354 go on\r\n', '.': '250-scanning\r\n' }

/** Takes a mail, then says again and again that it is not done; or hangs up, when nobody knows whether it has it. */
async function rudeServer(after: 'trickles' | 'hangs up') {
  const told: string[] = []
  const callers: Socket[] = []
  const server = createServer((caller) => {
    callers.push(caller)
    let inside = false
    let drops: NodeJS.Timeout | undefined
    caller.write('220 mail.example ESMTP\r\n')
    caller.on('data', (data) => {
      for (const line of data.toString().split('\r\n')) {
        if (inside) told.push(line)
        if (line === '' || (inside && line !== '.')) continue
        inside = line === 'DATA'
        if (line === '.' && after === 'hangs up') return caller.destroy()
        caller.write(answers[line] ?? '250 ok\r\n')
        if (line === '.') drops = setInterval(() => caller.write('250-scanning\r\n'), 20)
      }
    })
    caller.on('error', () => {})
    caller.once('close', () => clearInterval(drops))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { callers, told, url: `smtp://127.0.0.1:${portOf(server)}?ignoreTLS=true`, close: () => server.close() }
}

test('a mail server that is never silent and never done is given up, with its connection: it held a hand of the worker for ever', async () => {
  const server = await rudeServer('trickles')
  const send = mailer(server.url, 'Shop <no-reply@shop.example>', 300)
  await expect(send({ to: 'lin@example.com', subject: '一', text: '二', html: '三' })).rejects.toThrow('aborted')
  const [caller] = server.callers
  if (caller && !caller.closed) await once(caller, 'close')
  expect(server.callers).toHaveLength(1)
  server.close()
})

test('a mail of which nobody knows whether it went goes again under the same name, by which a mailbox shows it once', async () => {
  const server = await rudeServer('hangs up')
  const send = mailer(server.url, 'Shop <no-reply@shop.example>')
  const mail = { id: '0199', to: 'lin@example.com', subject: '一', text: '二', html: '三' }
  for (let n = 0; n < 2; n++) await expect(send(mail)).rejects.toThrow('closed')
  const names = server.told.filter((line) => line.startsWith('Message-ID:'))
  expect(names).toEqual(Array(2).fill('Message-ID: <0199@shop.example>'))
  server.close()
})

test('a mail library that could not be loaded, as when open files are short, is loaded for the next mail: none was sent until a restart', async () => {
  const send = mailer('smtp://127.0.0.1:1', 'Shop <no-reply@shop.example>')
  const mail = { to: 'lin@example.com', subject: '一', text: '二', html: '三' }
  vi.doMock('nodemailer', () => Promise.reject(new Error('EMFILE')))
  await expect(send(mail)).rejects.not.toThrow('ECONNREFUSED')
  vi.doUnmock('nodemailer')
  await expect(send(mail)).rejects.toThrow('ECONNREFUSED')
})
