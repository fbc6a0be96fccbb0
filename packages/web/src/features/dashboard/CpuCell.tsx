import styled from 'styled-components'
import { font, media } from '../../theme/tokens'
import { named } from '../../ui/Button'
import { Spark } from '../../ui/Spark'
import { Dim } from '../../ui/Time'

/** The newest minute's may be on its way. */
const nowMinutes = 2

/** How busy a machine is, and was in the last hour. */
export function CpuCell({ values }: { values: readonly (number | null)[] | undefined }) {
  const known = values?.filter((value) => value !== null) ?? []
  if (!values || known.length === 0)
    return (
      <Row>
        <Dim>—</Dim>
        <div />
      </Row>
    )
  // Off, or its host away, it is not as busy as it last was.
  const last = values.slice(-nowMinutes).findLast((value) => value !== null)
  const shown = last === undefined ? '—' : `${last}%`
  const words = `CPU ${shown}，近一小时最高 ${Math.max(...known)}%`
  return (
    <Row role="img" {...named(words)}>
      <span>{shown}</span>
      <div>
        <Spark values={[...values]} />
      </div>
    </Row>
  )
}

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: 8px;
  ${font.numbers}

  > span {
    min-width: 34px;
  }

  /* As wide before there is a line in it: the other columns then stay where they are. */
  > div {
    flex: 0 1 96px;
    width: 96px;
    min-width: 48px;
  }

  /* Names and sizes need its room. */
  ${media.wide} {
    ${media.crowded} {
      > div {
        display: none;
      }
    }
  }
`
