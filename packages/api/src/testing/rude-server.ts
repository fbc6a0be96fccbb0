import net from 'node:net'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { portOf } from '../../../demo/src/port-of.js'

/** What a caller meets outside, from its first byte on. */
export type Manner = (caller: net.Socket) => void

const head = (fields: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${fields}\r\n\r\n`
const everyMs = (caller: net.Socket, text: string, ms: number) => {
  const timer = setInterval(() => caller.write(text), ms)
  caller.once('close', () => clearInterval(timer))
}
const blanks = Buffer.alloc(64 * 1024, ' ')
const flood = (caller: net.Socket) => {
  const pour = () => {
    while (caller.writable && caller.write(blanks));
  }
  caller.on('drain', pour)
  pour()
}
const zipped = gzipSync('{"code":1}')

/** By what a name server, gateway or engine does to whoever asks it over HTTP. */
export const rude = {
  'says nothing': () => {},
  'changes the protocol': (caller) =>
    void caller.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
  'says for ever that it works on it': (caller) => everyMs(caller, 'HTTP/1.1 102 Processing\r\n\r\n', 5),
  'drips a header': (caller) => {
    caller.write('HTTP/1.1 200 OK\r\nserver: ')
    everyMs(caller, 'x', 5)
  },
  'hangs after its headers': (caller) => void caller.write(head('content-length: 20')),
  'drips its body': (caller) => {
    caller.write(head('content-length: 20000'))
    everyMs(caller, ' ', 5)
  },
  'never ends its body': (caller) => {
    caller.write(head('server: x'))
    flood(caller)
  },
  'never ends its headers': flood,
  'is cut within its body': (caller) => void caller.write(`${head('content-length: 20')}{"code":1`, () => caller.end()),
  'is cut within a chunk': (caller) =>
    void caller.write(`${head('transfer-encoding: chunked')}a\r\n{"code":1}\r\n`, () => caller.end()),
  'hangs up': (caller) => void caller.resetAndDestroy(),
  'speaks something else': (caller) => void caller.write('220 mail.example ESMTP\r\n'),
  'names two lengths': (caller) => void caller.write(`${head('content-length: 10\r\ncontent-length: 11')}{"code":1}`),
  'packs what nobody asked it to pack': (caller) => {
    caller.write(head(`content-encoding: gzip\r\ncontent-length: ${zipped.length}`))
    caller.write(zipped)
  },
} satisfies Record<string, Manner>

export type RudeServer = {
  url: string
  /** How many callers it still has. */
  callers: () => number
  /** How many bytes went into the network for them. */
  told: () => number
  stop(): Promise<void>
}

/** Meets each caller in that manner once it has said something. */
export async function startRudeServer(manner: Manner): Promise<RudeServer> {
  const callers = new Set<net.Socket>()
  let told = 0
  const server = net.createServer((caller) => {
    callers.add(caller)
    caller.on('error', () => {})
    caller.once('data', () => manner(caller))
    caller.once('close', () => {
      told += caller.bytesWritten
      callers.delete(caller)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    callers: () => callers.size,
    told: () => told,
    async stop() {
      for (const caller of callers) caller.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
