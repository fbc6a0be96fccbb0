import { Fragment, useRef } from 'react'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'
import { arriving, useArrived } from './arrived'
import { inGroups } from './groups'
import { Moving } from './Moving'
import { Bar, Loading } from './states'
import type { Column, TableProps } from './column'

/** A list where a table has no room. */
export function Cards<Row>({
  label,
  columns,
  rows,
  rowKey,
  groupOf,
}: Pick<TableProps<Row>, 'label' | 'columns' | 'rows' | 'rowKey' | 'groupOf'>) {
  const arrived = useArrived(rows, rowKey)
  const shown = rows && inGroups(rows, groupOf)
  const list = useRef<HTMLUListElement>(null)
  return shown ? (
    <CardList aria-label={label} ref={list}>
      <Moving keys={shown.map(({ row }) => rowKey(row))} place={list} />
      {shown.map(({ row, begins }) => (
        <Fragment key={rowKey(row)}>
          {begins !== null && <GroupName>{begins}</GroupName>}
          <Card id={rowKey(row)} row={row} columns={columns} arrived={arrived.has(rowKey(row))} />
        </Fragment>
      ))}
    </CardList>
  ) : (
    <Loading label={`正在加载${label}`}>
      <CardList as="div">
        {Array.from({ length: 3 }, (_, i) => (
          <CardBox as="div" key={i}>
            <Bar $width="60%" $height={20} />
            <Bar $height={64} />
          </CardBox>
        ))}
      </CardList>
    </Loading>
  )
}

function Card<Row>({ id, row, columns, arrived }: { id: string; row: Row; columns: Column<Row>[]; arrived: boolean }) {
  const of = (place: Column<Row>['phone']) => columns.filter((column) => column.phone === place)
  const facts = of(undefined)
  return (
    <CardBox data-row={id} data-arrived={arrived || undefined}>
      <CardHead>
        <div>
          {of('title').map((column) => (
            <Fragment key={column.key}>{column.cell(row)}</Fragment>
          ))}
        </div>
        {of('chip').map((column) => (
          <span key={column.key}>{column.cell(row)}</span>
        ))}
      </CardHead>
      <dl>
        {facts.map((column) => (
          <div key={column.key}>
            <dt>{column.head}</dt>
            <dd>{column.cell(row)}</dd>
          </div>
        ))}
      </dl>
      {of('actions').map((column) => (
        <CardFoot key={column.key}>{column.cell(row)}</CardFoot>
      ))}
    </CardBox>
  )
}

const CardList = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr));
  gap: 12px;
`

const GroupName = styled.li`
  grid-column: 1 / -1;
  ${font.sm}
  ${font.strong}
  color: ${color.text2};
`

const CardBox = styled.li`
  display: grid;
  align-content: start;
  gap: 12px;
  padding: 16px;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  background: ${color.page};
  ${arriving}

  dl {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 12px;
  }

  dt {
    ${font.xs}
    color: ${color.text3};
  }

  dd {
    min-width: 0;
    overflow-wrap: anywhere;
  }
`

const CardHead = styled.div`
  display: flex;
  align-items: flex-start;
  justify-content: space-between;
  gap: 12px;

  > div {
    min-width: 0;
    overflow-wrap: anywhere;
  }

  a {
    ${font.md}
    ${font.strong}
  }
`

const CardFoot = styled.div`
  display: grid;

  > div {
    justify-content: stretch;

    > button:not([aria-haspopup]),
    > a {
      flex: 1;
      margin: 0;
      border-color: ${color.line};
    }
  }
`
