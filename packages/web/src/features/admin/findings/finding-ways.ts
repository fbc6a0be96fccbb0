/** The ways that end a finding: an act from here, a command on the host, or where to go. */
import type { Finding } from '../parts/rows'

/** What is mended on the host itself. */
export const hostKinds = new Set(['second-agent', 'shrunk-host', 'many-differences', 'libvirt-away', 'network-away'])

/** For what is not ours: libvirt's own words, to be typed on the host by somebody who knows what it is. */
export function commandOf({ kind, subject, cleanable }: Finding): string | null {
  if (cleanable) return null
  if (kind === 'stray-domain') {
    return `virsh destroy ${subject}; virsh undefine ${subject} --nvram --remove-all-storage --snapshots-metadata`
  }
  return kind === 'stray-volume' ? `rm -- "$STORAGE_DIR"/${quoted(subject)}` : null
}

/** A file's name may hold whatever a shell would take for something else. */
const quoted = (name: string) => `'${name.replaceAll("'", String.raw`'\''`)}'`

/** What can be done from here. */
export type FindingAct = 'clean' | 'forceOff' | 'redefine'

const redefinable = new Set(['missing-domain', 'changed-domain', 'transient-domain'])

/** The one act that ends this finding, or null. */
export function actOf({ kind, cleanable, serverId, orderId }: Finding): FindingAct | null {
  if (cleanable) return 'clean'
  if (!serverId || !orderId) return null
  if (kind === 'hung-domain') return 'forceOff'
  return redefinable.has(kind) ? 'redefine' : null
}
