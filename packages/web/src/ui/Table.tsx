import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { Fragment, useRef } from 'react'
import styled, { css } from 'styled-components'
import { color, font, headTop, radius, shadow } from '../theme/tokens'
import { arriving, useArrived } from './arrived'
import { Moving } from './Moving'
import { Bar } from './states'
import { useUnhurried } from './unhurried'
import { useNarrow } from '../theme/use-media'
import { Cards } from './Cards'
import { inGroups } from './groups'
import type { Column, Sort, TableProps } from './column'

/** On a narrow screen a card per record. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, expected = 5, instead, busy, wide, sort } = props
  const rows = useUnhurried(props.rows)
  const cards = useNarrow()

  if (cards) return instead ? <Box>{instead}</Box> : <Cards {...props} rows={rows} />

  return (
    <Frame $wide={wide ?? false}>
      {busy && rows && <Progress role="presentation" />}
      <Grid aria-label={label} aria-busy={!rows}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={column.sortable ? sort : undefined} />
            ))}
          </tr>
        </thead>
        {!instead && <Body {...props} rows={rows} expected={expected} />}
      </Grid>
      {instead}
    </Frame>
  )
}

function Head<Row>({ column, sort }: { column: Column<Row>; sort: TableProps<Row>['sort'] }) {
  return (
    <th
      scope="col"
      style={{ width: column.width, textAlign: column.align }}
      aria-sort={sort ? directionOf(sort, column.key) : undefined}
    >
      {sort ? (
        <SortButton
          type="button"
          onClick={() => sort.set({ key: column.key, descending: sort.key === column.key ? !sort.descending : true })}
          data-active={sort.key === column.key || undefined}
        >
          {column.head}
          <SortIcon direction={directionOf(sort, column.key)} />
        </SortButton>
      ) : (
        column.head
      )}
    </th>
  )
}

type BodyProps<Row> = Pick<TableProps<Row>, 'columns' | 'rows' | 'rowKey' | 'groupOf'> & { expected: number }

function Body<Row>({ columns, rows, rowKey, groupOf, expected }: BodyProps<Row>) {
  const arrived = useArrived(rows, rowKey)
  const shown = rows && inGroups(rows, groupOf)
  const body = useRef<HTMLTableSectionElement>(null)
  return (
    <tbody ref={body}>
      <Moving keys={shown?.map(({ row }) => rowKey(row)) ?? []} place={body} />
      {shown
        ? shown.map(({ row, begins }) => (
            <Fragment key={rowKey(row)}>
              {begins !== null && (
                <tr>
                  <th scope="colgroup" colSpan={columns.length}>
                    {begins}
                  </th>
                </tr>
              )}
              <tr data-row={rowKey(row)} data-arrived={arrived.has(rowKey(row)) || undefined}>
                {columns.map((column) => (
                  <td key={column.key} style={{ textAlign: column.align }}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            </Fragment>
          ))
        : Array.from({ length: expected }, (_, i) => (
            <tr key={i}>
              {columns.map((column, j) => (
                <td key={column.key}>
                  <Bar $width={j % 2 ? '60%' : '80%'} />
                </td>
              ))}
            </tr>
          ))}
    </tbody>
  )
}

const directionOf = (sort: Sort, key: string) =>
  sort.key !== key ? 'none' : sort.descending ? 'descending' : 'ascending'

function SortIcon({ direction }: { direction: 'ascending' | 'descending' | 'none' }) {
  const Icon = direction === 'none' ? ArrowUpDown : direction === 'ascending' ? ArrowUp : ArrowDown
  return <Icon size={14} strokeWidth={1.75} aria-hidden />
}

/** Where it scrolls, name and actions stay. */
const pinned = css`
  @media (max-width: 1359px) {
    ${headTop}: 0;
    overflow-x: auto;

    td {
      white-space: nowrap;
    }

    table td:not(:first-child) {
      max-width: none;
    }

    /* What may be cut on a desk would be cut to nothing here: the table scrolls instead. */
    td:not(:first-child) > div {
      width: max-content;
      max-width: 360px;
      white-space: normal;
    }

    th:first-child,
    td:first-child,
    th:last-child,
    td:last-child {
      position: sticky;
      z-index: 1;
      left: 0;
      box-shadow: ${shadow.pinned};
    }

    th:last-child,
    td:last-child {
      left: auto;
      right: 0;
      box-shadow: ${shadow.pinnedEnd};
    }

    th:first-child,
    th:last-child {
      z-index: 2;
    }

    td:first-child,
    td:last-child {
      background: ${color.page};
    }
  }
`

const Frame = styled.div<{ $wide: boolean }>`
  position: relative;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  background: ${color.page};

  ${({ $wide }) => $wide && pinned}
`

const Progress = styled.div`
  position: absolute;
  z-index: 2;
  top: -1px;
  left: 0;
  right: 0;
  height: 2px;
  border-radius: 2px;
  background: linear-gradient(90deg, transparent, ${color.primary.brand}, transparent);
`

const Grid = styled.table`
  width: 100%;
  border-collapse: separate;
  border-spacing: 0;

  tr {
    ${arriving}
  }

  th {
    position: sticky;
    z-index: 1;
    /* Under the bar, or at the upper edge of what scrolls: a frame, a dialog. */
    top: var(${headTop}, 57px);
    height: 40px;
    padding: 0 12px;
    border-bottom: 1px solid ${color.line};
    background: ${color.surface};
    color: ${color.text2};
    text-align: start;
    white-space: nowrap;
    ${font.xs}
    ${font.strong}
  }

  th:first-child {
    border-start-start-radius: 7px;
  }

  th:last-child {
    border-start-end-radius: 7px;
  }

  tbody th {
    position: static;
    height: 32px;
    border-radius: 0;
  }

  /* A single long word, as an address in somebody's reason, is broken before it widens the table beyond the page. */
  td {
    max-width: 220px;
    height: 48px;
    padding: 4px 12px;
    border-bottom: 1px solid ${color.line};
    overflow-wrap: break-word;
  }

  /* A name has the width of a name; a longer one goes on in a second line. */
  td:first-child {
    min-width: 160px;
    max-width: 280px;
    white-space: normal;
    overflow-wrap: anywhere;
  }

  tbody tr:last-child td {
    border-bottom: 0;
  }

  th:first-child,
  td:first-child {
    padding-left: 16px;
  }

  th:last-child,
  td:last-child {
    padding-right: 16px;
  }

  tbody tr:hover td {
    background: ${color.surface};
  }

  tbody tr:last-child td:first-child {
    border-end-start-radius: 7px;
  }

  tbody tr:last-child td:last-child {
    border-end-end-radius: 7px;
  }
`

const SortButton = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 4px;
  height: 28px;
  margin: 0 -6px;
  padding: 0 6px;
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: inherit;
  ${font.xs}
  ${font.strong}
  cursor: pointer;

  svg {
    color: ${color.text3};
  }

  &:hover,
  &[data-active] {
    color: ${color.primary.text};

    svg {
      color: ${color.primary.text};
    }
  }
`

const Box = styled.div`
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
`
