import styled from 'styled-components'
import { font } from '../../theme/tokens'
import { Spark } from '../../ui/Spark'
import { Dim } from '../../ui/Time'

/** How busy a machine is, and was in the last hour. */
export function CpuCell({ values }: { values: readonly (number | null)[] | undefined }) {
  const known = values?.filter((value) => value !== null) ?? []
  const last = known.at(-1)
  if (!values || last === undefined)
    return (
      <Row>
        <Dim>—</Dim>
        <div />
      </Row>
    )
  const words = `CPU ${last}%，近一小时最高 ${Math.max(...known)}%`
  return (
    <Row role="img" aria-label={words} title={words}>
      <span>{last}%</span>
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
`
