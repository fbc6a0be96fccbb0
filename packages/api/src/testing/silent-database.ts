import { once } from 'node:events'
import net from 'node:net'

/** Stands before the database, and can stop passing anything on, without an end. */
export async function standBefore(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const flows = new Set<[net.Socket, net.Socket]>()
  let paused = false
  let isAway = false
  let refused = 0
  const server = net.createServer((client) => {
    if (isAway) return void (refused++, client.destroy())
    const onward = net.connect(`${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}`)
    const flow: [net.Socket, net.Socket] = [client, onward]
    flows.add(flow)
    for (const socket of flow) socket.on('error', () => {}).on('close', () => flow.forEach((each) => each.destroy()))
    client.on('close', () => flows.delete(flow))
    client.pipe(onward).pipe(client)
    if (paused) flow.forEach((socket) => socket.unpipe().pause())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const silence = () => {
    for (const flow of flows) for (const socket of flow) socket.unpipe().pause()
  }
  const url = new URL(target)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as net.AddressInfo).port)
  return {
    url: url.toString(),
    /** Open connections fall silent, as with a lost machine; new ones are served. */
    silence,
    /** Nobody is let in from now on. */
    leave() {
      isAway = true
      for (const flow of flows) for (const socket of flow) socket.destroy()
    },
    refused: () => refused,
    comeBack: () => void (isAway = false),
    pause() {
      paused = true
      silence()
    },
    resume() {
      paused = false
      for (const [client, onward] of flows) client.pipe(onward).pipe(client)
    },
    stop() {
      for (const flow of flows) for (const socket of flow) socket.destroy()
      server.close()
    },
  }
}
