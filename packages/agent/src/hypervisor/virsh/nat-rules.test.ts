import { portBlockOf } from '@vps/shared/nat'
import { expect, test } from 'vitest'
import { machine } from '../../testing/machines.js'
import { natScript, noNatScript, readNat } from './nat-rules.js'

const serverId = '0198c0de-0000-7000-8000-00000000abcd'
const pool = { outside: '203.0.113.7', firstAddress: '10.77.0.2', firstPort: 20_000, ports: 20 }
const behind = (change: Partial<typeof pool> = {}) => {
  const { network } = machine()
  const [first] = network.addresses
  const shared = { ...first!, nat: portBlockOf('10.77.0.2', { ...pool, ...change }) }
  const six = { address: 'fd00:77::2', prefix: 64, gateway: 'fd00:77::1' }
  return machine({ network: { ...network, addresses: [shared, six], prefixes: ['fd00:77:7::/64'] } })
}

test('the script of a machine behind a shared address is as checked in', async () => {
  await expect(natScript(serverId, behind())).toMatchFileSnapshot('golden/nat.nft')
})

test('it says whose it is, and to which addresses the host routes', () => {
  expect(readNat(natScript(serverId, behind())!)).toEqual({
    machine: ['10.77.0.2', 'fd00:77::2', 'fd00:77:7::/64'],
    ports: ['203.0.113.7:20000-20019'],
  })
  expect(readNat('table ip somebody')).toBeNull()
})

test('a block of one port leads to SSH alone', () => {
  const script = natScript(serverId, behind({ ports: 1 }))!
  expect(script.match(/dnat to .*/g)).toEqual(['dnat to 10.77.0.2:2222'])
})

test('a machine with addresses of its own has none', () => {
  expect(natScript(serverId, machine())).toBeNull()
  expect(noNatScript(serverId)).toContain('delete table ip vps_nat_00000000abcd')
})
