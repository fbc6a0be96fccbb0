import { expect, test } from 'vitest'
import { firewall } from './firewall.contract.js'
import {
  type Firewall,
  type FirewallRule,
  firewallTemplates,
  noFirewall,
  portsText,
  readPorts,
  whoReaches,
} from './firewall.js'

const rule = (over: Partial<FirewallRule>): FirewallRule => ({
  direction: 'in',
  protocol: 'tcp',
  ports: { from: 22, to: 22 },
  remote: null,
  action: 'accept',
  note: '',
  ...over,
})
const closed = (...rules: FirewallRule[]): Firewall => ({ enabled: true, inbound: 'drop', outbound: 'accept', rules })

test.each([
  ['off', { ...closed(), enabled: false }, 'all'],
  ['closed', closed(), 'none'],
  ['open to all', closed(rule({})), 'all'],
  ['open to one', closed(rule({ remote: '203.0.113.5' })), 'some'],
  ['closed before it is opened', closed(rule({ action: 'drop' }), rule({})), 'none'],
  ['opened to one before it is closed', closed(rule({ remote: '10.0.0.0/8' }), rule({ action: 'drop' })), 'some'],
  ['closed to one alone', { ...closed(rule({ remote: '10.0.0.1', action: 'drop' })), inbound: 'accept' }, 'some'],
  ['open by everything', closed(rule({ protocol: 'any', ports: null })), 'all'],
  ['another protocol', closed(rule({ protocol: 'udp' })), 'none'],
  ['another direction', closed(rule({ direction: 'out' })), 'none'],
  ['another port', closed(rule({ ports: { from: 23, to: 99 } })), 'none'],
] as const)('who reaches the SSH port of a firewall that is %s', (_name, given, answer) => {
  expect(whoReaches(given, 22)).toBe(answer)
})

test('every template is a set that may be saved, and leaves the way in by SSH open', () => {
  for (const { made } of firewallTemplates) {
    expect(firewall.parse(made(2222))).toEqual(made(2222))
    expect(whoReaches(made(2222), 2222)).toBe('all')
  }
})

test('ports are read as they are written, and what is none is told', () => {
  for (const ports of [null, { from: 22, to: 22 }, { from: 8000, to: 8100 }])
    expect(readPorts(ports === null ? '' : portsText({ ports }))).toEqual(ports)
  expect(readPorts('８０００－８１００')).toEqual({ from: 8000, to: 8100 })
  for (const typed of ['0', '65536', '9-8', 'ssh', '1-2-3', '-1']) expect(readPorts(typed)).toBeUndefined()
})

test('what no host could hold is refused: ports without tcp or udp, a range backwards, a name as the other side', () => {
  const accepts = (over: Partial<FirewallRule>) => firewall.safeParse({ ...noFirewall, rules: [rule(over)] }).success
  expect([accepts({ remote: '2001:db8::/32' }), accepts({ remote: '10.0.0.5/8' })]).toEqual([true, true])
  expect(accepts({ protocol: 'icmp' })).toBe(false)
  expect(accepts({ ports: { from: 9, to: 8 } })).toBe(false)
  for (const remote of ['example.com', '10.0.0.0/33', '1.2.3.4; drop', '']) expect(accepts({ remote })).toBe(false)
  const many = { ...noFirewall, rules: Array.from({ length: 101 }, () => rule({})) }
  expect(firewall.safeParse(many).success).toBe(false)
})
