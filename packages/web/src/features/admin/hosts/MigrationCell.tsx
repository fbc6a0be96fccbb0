import type { MigrationStage } from '@vps/shared/cold-migrations'
import type { Migration } from '@vps/shared/cold-migrations.contract'
import * as labels from '@vps/shared/labels'
import { migrationStageNames, wasCalledOff } from '@vps/shared/migration-words'
import * as states from '@vps/shared/states'
import styled from 'styled-components'
import { color, font } from '../../../theme/tokens'
import { Chip, type ChipTone } from '../../../ui/Chip'
import { dateTimeText, Dim } from '../../../ui/Time'
import { HostLink } from '../parts/links'

const tones: Record<MigrationStage, ChipTone> = {
  WAITING: 'neutral',
  STOPPING: 'info',
  SAVING: 'info',
  RESTORING: 'info',
  RETURNING: 'warning',
  DONE: 'success',
  FAILED: 'error',
}

/** Where none is chosen yet. */
export const chosenLater = '自动选择'

interface Props {
  /** Whose page it is. */
  host: string
  migration: Migration | null
  stays: string | null
}

/** How its newest migration stands; without one, why it stays. */
export function MigrationCell({ host, migration, stays }: Props) {
  if (!migration) return <Dim>{stays ?? '—'}</Dim>
  const { stage, percentage, reason, to, by, createdAt, endedAt } = migration
  const open = endedAt === null
  const off = wasCalledOff(migration)
  const word = off ? states.cancelled : migrationStageNames[stage]
  return (
    <Lines>
      <div>
        <Chip tone={off ? 'neutral' : tones[stage]} busy={open && stage !== 'WAITING'}>
          {open && percentage > 0 ? `${word} ${percentage}%` : word}
        </Chip>
        <Way host={host} migration={migration} />
      </div>
      {reason && (off ? <small>{reason}</small> : <Wrong>{reason}</Wrong>)}
      {stage === 'RETURNING' && <small>等待清理 {to?.name} 上的副本，之后在原宿主机恢复</small>}
      <small>
        {by} · {dateTimeText(createdAt)}
      </small>
    </Lines>
  )
}

function Way({ host, migration: { from, to } }: { host: string; migration: Migration }) {
  if (to?.id === host)
    return (
      <span>
        {labels.comesFrom} <HostLink {...from} />
      </span>
    )
  return (
    <span>
      {from.id !== host && <HostLink {...from} />} → {to ? <HostLink {...to} /> : <Dim>{chosenLater}</Dim>}
    </span>
  )
}

const Lines = styled.div`
  display: grid;
  gap: 2px;
  padding: 4px 0;

  > div {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
    overflow-wrap: anywhere;
  }
`

const Wrong = styled.small`
  && {
    color: ${color.error.text};
  }
`
