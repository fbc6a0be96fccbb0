/** By who sees them. */
export const findingKinds = {
  inventory: [
    'stray-domain',
    'stray-volume',
    'missing-domain',
    'changed-domain',
    'changed-disk',
    'changed-snapshots',
    'changed-rescue',
    'changed-iso',
    'changed-firewall',
    'changed-autostart',
    'transient-domain',
    'foreign-domain',
    'broken-image',
    'unreadable-domain',
    'changed-base',
    'unguarded-domain',
    'no-address-guard',
    'no-bandwidth-limit',
    'no-port-forwarding',
    'no-bridge',
    'no-kvm',
    'shrunk-host',
    'many-differences',
  ],
  away: ['libvirt-away', 'network-away', 'state-away', 'storage-away'],
  conditions: ['hung-domain', 'crashed-domain', 'paused-domain', 'io-error-domain', 'disk-full-domain'],
  admission: ['second-agent'],
  protocol: ['outdated-agent', 'newer-agent'],
  jobs: ['unbootable-image'],
  upgrade: ['vlan-removed'],
  moves: ['lost-servers', 'failed-migration'],
  payments: ['paid-twice', 'mismatched-payment', 'gateway-away'],
  names: ['name-server-away'],
  process: ['wrong-clock', 'metrics-away'],
  timer: ['brake', 'unreadable-secret', 'late-backup', 'unchecked-backup', 'damaged-backup'],
} as const
export type FindingKind = (typeof findingKinds)[keyof typeof findingKinds][number]

/** What the database accepts. */
export const allFindingKinds = Object.values(findingKinds).flat()

/** Of nobody's place on its host. */
export const isStray = (kind: string): boolean => kind === 'stray-domain' || kind === 'stray-volume'

/** Mended by a new definition over the machine's own disk. */
export const redefinableKinds: readonly FindingKind[] = [
  'missing-domain',
  'changed-domain',
  'changed-rescue',
  'changed-iso',
  'transient-domain',
]
