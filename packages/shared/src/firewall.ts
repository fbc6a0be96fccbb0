import * as labels from './labels.js'
import * as states from './states.js'

/** Held by the host outside the guest (decision 0102). */
export const firewallDirections = ['in', 'out'] as const
export type FirewallDirection = (typeof firewallDirections)[number]
export const firewallProtocols = ['any', 'tcp', 'udp', 'icmp'] as const
export type FirewallProtocol = (typeof firewallProtocols)[number]
export const firewallActions = ['accept', 'drop'] as const
export type FirewallAction = (typeof firewallActions)[number]

/** `icmp`: of both families; `remote`: the other side, null: anybody. */
export type FirewallRule = {
  direction: FirewallDirection
  protocol: FirewallProtocol
  /** Of tcp and udp; null: all. */
  ports: { from: number; to: number } | null
  remote: string | null
  action: FirewallAction
  note: string
}

/** The first fitting rule decides, else the direction's policy. */
export type Firewall = {
  enabled: boolean
  inbound: FirewallAction
  outbound: FirewallAction
  rules: FirewallRule[]
}

export const mostFirewallRules = 100

export const noFirewall: Firewall = { enabled: false, inbound: 'accept', outbound: 'accept', rules: [] }

/** Of the rules saved last. */
export const firewallStates = ['OFF', 'APPLIED', 'APPLYING', 'HOST_AWAY', 'FAILED'] as const
export type FirewallState = (typeof firewallStates)[number]
export const firewallStateNames: Record<FirewallState, string> = {
  OFF: states.switchedOff,
  APPLIED: states.inForce,
  APPLYING: '正在应用',
  HOST_AWAY: '等待宿主机恢复',
  FAILED: '应用失败',
}

export const directionNames: Record<FirewallDirection, string> = { in: labels.inbound, out: labels.outbound }
export const protocolNames: Record<FirewallProtocol, string> = { any: '全部协议', tcp: 'TCP', udp: 'UDP', icmp: 'ICMP' }
export const firewallActionNames: Record<FirewallAction, string> = { accept: '放行', drop: '拒绝' }

const letIn = (protocol: FirewallProtocol, port: number | null, note: string): FirewallRule => ({
  direction: 'in',
  protocol,
  ports: port === null ? null : { from: port, to: port },
  remote: null,
  action: 'accept',
  note,
})

/** Whole sets, for a machine with this SSH port. */
export const firewallTemplates: { name: string; made: (sshPort: number) => Firewall }[] = [
  {
    name: '仅 SSH',
    made: (port) => closed([letIn('tcp', port, 'SSH'), letIn('icmp', null, 'Ping')]),
  },
  {
    name: '网站服务器',
    made: (port) =>
      closed([
        letIn('tcp', port, 'SSH'),
        letIn('tcp', 80, 'HTTP'),
        letIn('tcp', 443, 'HTTPS'),
        letIn('icmp', null, 'Ping'),
      ]),
  },
  { name: '全部放行', made: () => ({ ...noFirewall, enabled: true }) },
]

function closed(rules: FirewallRule[]): Firewall {
  return { enabled: true, inbound: 'drop', outbound: 'accept', rules }
}

/** Who can begin a TCP connection to the port. */
export function whoReaches(firewall: Firewall, port: number): 'all' | 'some' | 'none' {
  if (!firewall.enabled) return 'all'
  const met = new Set<FirewallAction>()
  for (const rule of firewall.rules.filter((one) => one.direction === 'in' && fits(one, port))) {
    met.add(rule.action)
    if (rule.remote === null || rule.remote === '0.0.0.0/0') return reachedBy(met)
  }
  return reachedBy(met.add(firewall.inbound))
}

const reachedBy = (met: ReadonlySet<FirewallAction>) => (met.size > 1 ? 'some' : met.has('accept') ? 'all' : 'none')

function fits({ protocol, ports }: FirewallRule, port: number): boolean {
  if (protocol === 'any') return true
  return protocol === 'tcp' && (ports === null || (ports.from <= port && port <= ports.to))
}

/** `22`, `8000-8100`, or all. */
export const portsText = ({ ports }: Pick<FirewallRule, 'ports'>): string =>
  ports === null ? '全部端口' : ports.from === ports.to ? String(ports.from) : `${ports.from}-${ports.to}`

/** As typed; null: all, undefined: none. */
export function readPorts(typed: string): FirewallRule['ports'] | undefined {
  const plain = typed.normalize('NFKC').trim()
  if (plain === '') return null
  const [, from, to = from] = /^(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(plain) ?? []
  const ports = { from: Number(from), to: Number(to) }
  return ports.from >= 1 && ports.from <= ports.to && ports.to <= 65_535 ? ports : undefined
}
