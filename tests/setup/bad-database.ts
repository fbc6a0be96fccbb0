import net from 'node:net'
import { once } from 'node:events'
import type { Random } from '../simulation/random.js'

/** What becomes of a message to PostgreSQL; a lost answer may be that of a commit. */
export const databaseMishaps = [
  'lost',
  'answer lost',
  'answer lost',
  'late',
  'lost',
  'answer lost',
  'late',
  'silent',
] as const
type Mishap = (typeof databaseMishaps)[number]

export type BadDatabase = {
  /** To connect by. */
  url: string
  /** How many messages fared badly so far. */
  struck: () => number
  /** From now on this share of the messages fares badly. */
  worsen(share: number): void
  heal(): void
  stop(): Promise<void>
}

const latestMs = 2_000

/**
 * Leads to the database at `address`. Once it is worse, a share of the messages fares badly, each in the next way: its connection
 * is cut, or says nothing any more while nobody closes it, as one that a firewall forgot.
 */
export async function startBadDatabase(address: string, random: Random): Promise<BadDatabase> {
  const target = new URL(address)
  let [struck, share] = [0, 0]
  const sockets = new Set<net.Socket>()

  const upstream = () => {
    const folder = target.searchParams.get('host')
    const port = Number(target.port || 5432)
    return folder ? net.connect(`${folder}/.s.PGSQL.${port}`) : net.connect(port, target.hostname)
  }

  function join(client: net.Socket): void {
    const server = upstream()
    const end = () => {
      client.destroy()
      server.destroy()
    }
    let [isSilent, isLost, isSpared] = [false, false, false]
    const strike = (mishap: Mishap, message: Buffer) => {
      if (mishap === 'lost') return end()
      if (mishap === 'silent') return void (isSilent = true)
      if (mishap === 'answer lost') isLost = true
      const go = () => {
        client.resume()
        if (server.writable) server.write(message)
      }
      if (mishap !== 'late') return go()
      client.pause()
      setTimeout(go, random.between(100, latestMs))
    }
    client.on('data', (message: Buffer) => {
      if (isSilent) return
      // What watches the database would find that nothing answers, and cut all.
      isSpared ||= message.includes('vps-watch')
      if (isSpared || !random.chance(share)) return void server.write(message)
      strike(databaseMishaps[struck++ % databaseMishaps.length]!, message)
    })
    server.on('data', (answer: Buffer) => {
      if (isLost) end()
      else if (!isSilent) client.write(answer)
    })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (!isSilent) end()
      })
    }
    client.on('close', () => server.destroy())
  }

  const proxy = net.createServer(join)
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(address)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as net.AddressInfo).port)
  return {
    url: url.toString(),
    struck: () => struck,
    worsen: (to) => (share = to),
    heal: () => (share = 0),
    async stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
