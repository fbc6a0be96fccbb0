import { HostLink } from '../parts/links'
import type { Finding } from '../parts/rows'

/** Where it was found. */
export function HostOf({ finding: { hostId, hostName } }: { finding: Finding }) {
  return hostId && hostName ? <HostLink id={hostId} name={hostName} /> : '整个商店'
}
