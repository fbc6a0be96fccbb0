import { redefinableKinds } from '@vps/shared/findings'
import type { Finding } from '../parts/rows'

export const hostKinds = new Set([
  'second-agent',
  'shrunk-host',
  'many-differences',
  'libvirt-away',
  'network-away',
  'state-away',
])

/** For what is not ours, to be typed on the host. */
export function commandOf({ kind, subject, cleanable }: Finding): string | null {
  if (cleanable) return null
  if (kind === 'stray-domain') {
    return `virsh destroy ${subject}; virsh undefine ${subject} --nvram --remove-all-storage --snapshots-metadata`
  }
  return kind === 'stray-volume' ? `rm -- "$STORAGE_DIR"/${quoted(subject)}` : null
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
