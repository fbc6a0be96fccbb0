import { findingKinds } from '@vps/shared/finding-words'
import { isStray, redefinableKinds } from '@vps/shared/findings'
import type { Finding } from '../parts/rows'

export const hostKinds = new Set([
  'second-agent',
  'shrunk-host',
  'many-differences',
  'libvirt-away',
  'network-away',
  'state-away',
  'lost-servers',
  'failed-migration',
])

/** No inventory shows them again. */
export const untilMended = new Set(['unbootable-image', 'failed-migration'])

/** Of a stray that is none, too: its host was enrolled twice. */
export function adviceOf({ kind, serverId, cleanable, perhapsLast, resolvedAt }: Finding): string | undefined {
  if (perhapsLast)
    return '它属于一台仍在使用的服务器，而该服务器所在的宿主机上没有它，或没有响应：这里可能是它仅存的数据，不要删除。请把磁盘搬回原宿主机，或先备份再处理原订单。'
  if (isStray(kind) && serverId !== null && !cleanable && resolvedAt === null)
    return '它属于一台仍在使用的服务器：这台宿主机与该服务器所在的宿主机是同一台机器。请为原宿主机重新生成接入命令，不要删除它。'
  return findingKinds[kind]?.advice
}

/** For what is not ours, to be typed on the host; STORAGE as docs/agent.md has it. */
export function commandOf({ kind, subject, serverId }: Finding): string | null {
  if (serverId !== null) return null
  if (kind === 'stray-domain') {
    return `virsh destroy ${subject}; virsh undefine ${subject} --nvram --remove-all-storage --snapshots-metadata`
  }
  return kind === 'stray-volume' ? `rm -- "\${STORAGE:-/var/lib/vps-machines}"/${quoted(subject)}` : null
}

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
