import { hostStatusNames } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import { Chip } from '../../../ui/Chip'
import { dateTimeText } from '../../../ui/Time'
import { findingName } from '@vps/shared/finding-words'
import { hostTones, troubleWords } from './host-words'

/** Its state, and the level of its trouble. */
export function HostState({ host: { status, trouble } }: { host: HostView }) {
  return (
    <span>
      <Chip tone={hostTones[status]}>{hostStatusNames[status]}</Chip>
      {trouble && <Chip tone={troubleWords[trouble.level].tone}>{troubleWords[trouble.level].label}</Chip>}
    </span>
  )
}

/** What is wrong, and since when. */
export const troubleText = ({ kinds, since }: NonNullable<HostView['trouble']>): string =>
  `${kinds.map((kind) => findingName({ kind })).join('、')}，自 ${dateTimeText(since)}`
