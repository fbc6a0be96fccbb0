import { once } from 'node:events'
import http from 'node:http'
import { reverseNameOf } from '@vps/shared/reverse-names'
import type { ReverseNamesView } from '@vps/shared/reverse-names.contract'
import { waitFor, type Customer } from '../tests/setup/customer.js'

/** For pictures: a name server that takes whatever it is told, and a name that it was told. */
export async function haveReverseNames(admin: Customer, owner: Customer, serverId: string): Promise<void> {
  const url = await openNameServer()
  const at = `/server-management/${serverId}/reverse-names`
  const names = async () => (await owner.call<ReverseNamesView>('GET', at)).body.data.names
  const [first] = await names()
  if (!first) throw new Error('the server has no address')
  const zone = reverseNameOf(first.address).split('.').slice(1).join('.')
  const zones = [zone, '0/26.2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa']
  await admin.call('PUT', '/reverse-dns', { url, key: 'shown-to-nobody', zones, version: 0 })
  await owner.call('PUT', `${at}/${first.address}`, { name: 'mail.example.com' })
  await waitFor(async () => (await names())[0]?.state === 'WRITTEN', 'a written reverse name')
}

async function openNameServer(): Promise<string> {
  const server = http.createServer((request, reply) => {
    const isRead = request.method === 'GET'
    reply.writeHead(isRead ? 200 : 204).end(isRead ? JSON.stringify({ kind: 'Native' }) : undefined)
  })
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}
