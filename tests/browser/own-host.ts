import { randomBytes, randomInt } from 'node:crypto'
import { done, enrolByHand } from '../setup/agent.js'
import { demoAdmin, newCustomer, product } from './people.js'

/** On its own host nothing happens that the test does not do. */
export async function ownHost() {
  const admin = await demoAdmin()
  const name = randomBytes(3).toString('hex')
  const made = async (path: string, body: object) => (await admin.call<{ id: string }>('POST', path, body)).body.data.id
  const [a, b, c] = [randomInt(16, 32), randomInt(256), 8 * randomInt(32)]
  const network = { network: `172.${a}.${b}.${c}/29`, gateway: `172.${a}.${b}.${c + 1}`, dns: [] }
  const poolId = await made('/ip-pools', { name: `pool-${name}`, ...network })
  const groups = await admin.call<{ categoryId: string }[]>('GET', '/groups')
  const group = { name: `组-${name}`, categoryId: groups.body.data[0]!.categoryId, sortOrder: 999 }
  const groupId = await made('/groups', group)
  const prices = {
    hourlyPrice: 1,
    dailyPrice: 2,
    monthlyPrice: 3,
    quarterlyPrice: 4,
    semiAnnualPrice: 5,
    annualPrice: 6,
  }
  const offer = { name: `价-${name}`, serverGroupId: groupId, ...prices }
  const priceGroupId = await made('/price-groups', offer)
  const serves = { groupIds: [groupId], poolIds: [poolId] }
  const host = await enrolByHand(product, admin, `host-${name}`, serves)
  await host.tell({ images: [{ file: 'debian-12.qcow2', bytes: 1 }] })
  const customer = await newCustomer()
  const id = String((await customer.call('GET', '/auth/profile')).body['id'])
  await admin.call('PUT', `/wallet/balance?amount=10&userId=${id}`)
  const spec = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
  const order = await customer.placeOrder({ priceGroupId, ...spec, osName: 'Debian', osVersion: '12' })
  await customer.call('POST', `/orders/${order.id}/pay`)
  // Off the snapshot again: this host is the test's own.
  await admin.call('PUT', `/price-groups/${priceGroupId}`, { ...offer, isActive: false })
  await admin.call('PUT', `/groups/${groupId}`, { ...group, isActive: false })
  await host.finish((await host.claim())!, done('on'))
  return { customer, order: await customer.readOrder(order.id), host, serves }
}
