import { directionNames, portsText, protocolNames, type Firewall, type FirewallRule } from '@vps/shared/firewall'
import type { FirewallView } from '@vps/shared/firewall.contract'
import * as labels from '@vps/shared/labels'

/** Rules have no names: a row keeps its key wherever it is moved. */
export type Row = { key: string; rule: FirewallRule }

export type Draft = Omit<Firewall, 'rules'> & { revision: number; rows: Row[] }

export function draftOf({ firewall, revision }: Pick<FirewallView, 'firewall' | 'revision'>): Draft {
  return { ...firewall, revision, rows: firewall.rules.map((rule, n) => ({ key: `${revision}-${n}`, rule })) }
}

export function firewallOf({ enabled, inbound, outbound, rows }: Draft): Firewall {
  return { enabled, inbound, outbound, rules: rows.map(({ rule }) => rule) }
}

export const isSame = (one: Firewall, other: Firewall): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The first and the last stay. */
export function movedBy(rows: readonly Row[], key: string, by: 1 | -1): Row[] {
  const from = rows.findIndex((row) => row.key === key)
  const [row, other] = [rows[from], rows[from + by]]
  if (!row || !other) return [...rows]
  return rows.map((one) => (one === row ? other : one === other ? row : one))
}

/** Replaces its older self, or comes last. */
export function withRow(rows: readonly Row[], row: Row): Row[] {
  return rows.some(({ key }) => key === row.key) ? rows.map((one) => (one.key === row.key ? row : one)) : [...rows, row]
}

/** `入站 TCP 22`. */
export function ruleWords(rule: FirewallRule): string {
  const ports = rule.protocol === 'tcp' || rule.protocol === 'udp' ? ` ${portsText(rule)}` : ''
  return `${directionNames[rule.direction]} ${protocolNames[rule.protocol]}${ports}`
}

/** With its place, in the names of its buttons. */
export const placeWords = ({ rule }: Row, n: number): string => `第${n + 1}条 ${ruleWords(rule)}`

/** Who sends what comes in, or gets what goes out. */
export function remoteWords({ direction, remote }: FirewallRule): string {
  return `${direction === 'in' ? labels.comesFrom : '发往'}：${remote ?? '任何地址'}`
}
