import { noFirewall, type FirewallRule } from '@vps/shared/firewall'
import { expect, test } from 'vitest'
import { draftOf, firewallOf, isSame, movedBy, remoteWords, ruleWords, withRow } from './draft'

const rule = (change: Partial<FirewallRule> = {}): FirewallRule => ({
  direction: 'in',
  protocol: 'tcp',
  ports: { from: 22, to: 22 },
  remote: null,
  action: 'accept',
  note: '',
  ...change,
})
const rules = [
  rule(),
  rule({ protocol: 'udp', ports: null }),
  rule({ direction: 'out', protocol: 'icmp', ports: null }),
]
const firewall = { ...noFirewall, enabled: true, rules }
const draft = draftOf({ firewall, revision: 3 })
const orderOf = (rows: typeof draft.rows) => rows.map(({ rule: one }) => one.protocol)

test('a draft is what was read, with the revision that it was made from', () => {
  expect(draft.revision).toBe(3)
  expect(isSame(firewallOf(draft), firewall)).toBe(true)
  expect(isSame(firewallOf({ ...draft, inbound: 'drop' }), firewall)).toBe(false)
})

test('rules change places with their neighbours, keep their keys, and stay at the ends', () => {
  const [first, , last] = draft.rows.map(({ key }) => key)
  expect(orderOf(movedBy(draft.rows, first!, 1))).toEqual(['udp', 'tcp', 'icmp'])
  expect(orderOf(movedBy(draft.rows, last!, -1))).toEqual(['tcp', 'icmp', 'udp'])
  expect(movedBy(draft.rows, first!, 1)[1]?.key).toBe(first)
  expect(movedBy(draft.rows, first!, -1)).toEqual(draft.rows)
  expect(movedBy(draft.rows, last!, 1)).toEqual(draft.rows)
  expect(movedBy(draft.rows, 'none', 1)).toEqual(draft.rows)
})

test('an edited rule stays where it was, a new one comes last', () => {
  const key = draft.rows[1]!.key
  expect(orderOf(withRow(draft.rows, { key, rule: rule({ protocol: 'any', ports: null }) }))).toEqual([
    'tcp',
    'any',
    'icmp',
  ])
  expect(orderOf(withRow(draft.rows, { key: 'new', rule: rule({ protocol: 'udp' }) }))).toEqual([
    'tcp',
    'udp',
    'icmp',
    'udp',
  ])
})

test('a rule in words', () => {
  expect(rules.map(ruleWords)).toEqual(['入站 TCP 22', '入站 UDP 全部端口', '出站 ICMP'])
  expect(ruleWords(rule({ ports: { from: 8000, to: 8100 } }))).toBe('入站 TCP 8000-8100')
  expect(remoteWords(rule())).toBe('来自：任何地址')
  expect(remoteWords(rule({ direction: 'out', remote: '10.0.0.0/8' }))).toBe('发往：10.0.0.0/8')
})
