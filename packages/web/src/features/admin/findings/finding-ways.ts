import { findingKinds } from '@vps/shared/finding-words'
import { isStray, redefinableKinds } from '@vps/shared/findings'
import type { Finding } from '../parts/rows'

export const hostKinds = new Set([
  'second-agent',
  'outdated-agent',
  'newer-agent',
  'shrunk-host',
  'many-differences',
  'libvirt-away',
  'network-away',
  'state-away',
  'storage-away',
  'no-address-guard',
  'no-bandwidth-limit',
  'no-port-forwarding',
  'no-bridge',
  'no-kvm',
  'lost-servers',
  'failed-migration',
])

/** No inventory shows them again. */
export const untilMended = new Set(['unbootable-image', 'failed-migration'])

/** Of a stray that is none, too: its host was enrolled twice. */
export function adviceOf(finding: Finding): string | undefined {
  const { kind, serverId, cleanable, perhapsLast, resolvedAt } = finding
  if (isUnknownOfOurs(finding))
    return '它由本系统安装，数据库中却没有它：恢复备份之后，它多半是备份之后售出、客户正在使用的服务器，不要删除，它的 IP 地址已被保留。请按当时的邮件和支付网关找到客户，补上余额和新的服务器，由其搬走数据；确认无人使用后再在宿主机上删除。'
  if (perhapsLast)
    return '它属于一台仍在使用的服务器，而该服务器所在的宿主机上没有它，或没有响应：这里可能是它仅存的数据，不要删除。请把磁盘搬回原宿主机，或先备份再处理原订单。'
  if (isStray(kind) && serverId !== null && !cleanable && resolvedAt === null)
    return '它属于一台仍在使用的服务器：这台宿主机与该服务器所在的宿主机是同一台机器。请为原宿主机重新生成接入命令，不要删除它。'
  return findingKinds[kind]?.advice
}

/** Its agent gave it its name: sold after a back-up that was restored. */
const isUnknownOfOurs = ({ kind, subject, serverId, details }: Finding): boolean =>
  kind === 'stray-domain' && serverId === null && details['name'] === `vps-${subject}`

/** For what is not ours, to be typed on the host; STORAGE as docs/agent.md has it. */
export function commandOf(finding: Finding): string | null {
  const { kind, subject, serverId } = finding
  if (serverId !== null || isUnknownOfOurs(finding)) return null
  if (kind === 'stray-domain') {
    return `virsh destroy ${subject}; virsh undefine ${subject} --nvram --remove-all-storage --snapshots-metadata`
  }
  return kind === 'stray-volume' ? removal(`"\${STORAGE:-/var/lib/vps-machines}"/${quoted(subject)}`) : null
}

/** A name that links to a logical volume is all that leads to it: the volume goes first, else the name stays. */
const removal = (path: string) =>
  `f=${path}; case "$(readlink "$f")" in /dev/*) lvremove "$(readlink "$f")" ;; esac && rm -- "$f"`

/** A file's name may hold what a shell would act on. */
const quoted = (name: string) => `'${name.replaceAll("'", String.raw`'\''`)}'`

export type FindingAct = 'clean' | 'forceOff' | 'redefine' | 'credit' | 'applyFirewall'

/** Null where none from here ends it. */
export function actOf({ kind, cleanable, serverId, orderId }: Finding): FindingAct | null {
  if (cleanable) return 'clean'
  if (kind === 'paid-twice') return 'credit'
  if (!serverId || !orderId) return null
  if (kind === 'hung-domain') return 'forceOff'
  if (kind === 'changed-firewall') return 'applyFirewall'
  return redefinableKinds.includes(kind) ? 'redefine' : null
}
