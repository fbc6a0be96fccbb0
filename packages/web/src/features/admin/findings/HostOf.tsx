import { findingSubject } from '@vps/shared/finding-facts'
import * as labels from '@vps/shared/labels'
import { HostLink } from '../parts/links'
import type { Finding } from '../parts/rows'

/** Where it was found. */
export function HostOf({ finding: { hostId, hostName } }: { finding: Finding }) {
  return hostId && hostName ? <HostLink id={hostId} name={hostName} /> : labels.wholeShop
}

/** Of a whole host it is the host, by its name. */
export const subjectOf = ({ kind, subject, hostId, hostName }: Finding): string =>
  subject === hostId && hostName ? hostName : findingSubject({ kind, subject })
