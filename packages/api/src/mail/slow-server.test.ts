import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { portOf } from '../../../demo/src/port-of.js'
import { mailer } from '../deps.js'

const answers: Record<string, string> = { DATA: '354 go on\r\n', '.': '250-scanning\r\n' }

/** Takes a mail, then says again and again that it is not done. */
async function tricklingServer() {
  const callers: Socket[] = []
  const server = createServer((caller) => {
    callers.push(caller)
    let inside = false
    let drops: NodeJS.Timeout | undefined
    caller.write('220 mail.example ESMTP\r\n')
    caller.on('data', (data) => {
      for (const line of data.toString().split('\r\n')) {
        if (line === '' || (inside && line !== '.')) continue
        inside = line === 'DATA'
        caller.write(answers[line] ?? '250 ok\r\n')
        if (line === '.') drops = setInterval(() => caller.write('250-scanning\r\n'), 20)
      }
    })
    caller.on('error', () => {})
    caller.once('close', () => clearInterval(drops))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { callers, url: `smtp://127.0.0.1:${portOf(server)}?ignoreTLS=true`, close: () => server.close() }
}

test('a mail server that is never silent and never done is given up, with its connection: it held a hand of the worker for ever', async () => {
  const server = await tricklingServer()
  const send = mailer(server.url, 'Shop <no-reply@shop.example>', 300)
  await expect(send({ to: 'lin@example.com', subject: '一', text: '二', html: '三' })).rejects.toThrow('aborted')
  const [caller] = server.callers
  if (caller && !caller.closed) await once(caller, 'close')
  expect(server.callers).toHaveLength(1)
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
