import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import styled, { css } from 'styled-components'
import { color, font, headTop, media, radius, shadow } from '../theme/tokens'
import { Bar, Loading } from './states'
import { useNarrow } from './use-media'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  width?: string
  /** Sorted by the server when its head is pressed; `key` is what the server calls it. */
  sortable?: boolean
  /** On a card: in its head, at its lower end, or (default) a labelled line. */
  phone?: 'title' | 'chip' | 'actions' | 'hide'
}

export interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  /** Undefined while the first answer is awaited. */
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** Rows of grey bars while loading. */
  expected?: number
  /** In the table's place when there is nothing or the read failed; the head stays. */
  instead?: ReactNode
  /** A repeated read is under way; the old rows stay. */
  busy?: boolean
  /** Many columns: where they do not fit, the table scrolls in its frame; the first and the last one stay. */
  wide?: boolean
  /** The order that the rows came in, and how to ask for another. */
  sort?: Sort & { set: (sort: Sort) => void }
}

interface Sort {
  key: string
  descending: boolean
}

/** A list of records: a table; where the screen is narrow, a card per record. */
export function Table<Row>({ label, columns, rows, rowKey, expected = 5, instead, busy, wide, sort }: TableProps<Row>) {
  const cards = useNarrow()

  if (cards) {
    if (instead) return <Box>{instead}</Box>
    return rows ? (
      <CardList aria-label={label}>
        {rows.map((row) => (
          <Card key={rowKey(row)} row={row} columns={columns} />
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

  return (
    <Frame $wide={wide ?? false}>
      {busy && rows && <Progress role="presentation" />}
      <Grid aria-label={label} aria-busy={!rows}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                style={{ width: column.width, textAlign: column.align }}
                aria-sort={column.sortable && sort ? directionOf(sort, column.key) : undefined}
              >
                {column.sortable && sort ? (
                  <SortButton
                    type="button"
                    onClick={() =>
                      sort.set({ key: column.key, descending: sort.key === column.key ? !sort.descending : true })
                    }
                    data-active={sort.key === column.key || undefined}
                  >
                    {column.head}
                    <SortIcon direction={directionOf(sort, column.key)} />
                  </SortButton>
                ) : (
                  column.head
                )}
              </th>
            ))}
          </tr>
        </thead>
        {!instead && (
          <tbody>
            {rows
              ? rows.map((row) => (
                  <tr key={rowKey(row)}>
                    {columns.map((column) => (
                      <td key={column.key} style={{ textAlign: column.align }}>
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
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
        )}
      </Grid>
      {instead}
    </Frame>
  )
}

function Card<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  const of = (place: Column<Row>['phone']) => columns.filter((column) => column.phone === place)
  const facts = of(undefined)
  return (
    <CardBox>
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

const directionOf = (sort: Sort, key: string) =>
  sort.key !== key ? 'none' : sort.descending ? 'descending' : 'ascending'

function SortIcon({ direction }: { direction: 'ascending' | 'descending' | 'none' }) {
  const Icon = direction === 'none' ? ArrowUpDown : direction === 'ascending' ? ArrowUp : ArrowDown
  return <Icon size={14} strokeWidth={1.75} aria-hidden />
}

/** Below the width that the columns need, what names a row and what is done with it stay in sight and cast an edge. */
const pinned = css`
  @media (max-width: 1359px) {
    ${headTop}: 0;
    overflow-x: auto;

    td {
      white-space: nowrap;
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

  td {
    height: 48px;
    padding: 4px 12px;
    border-bottom: 1px solid ${color.line};
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

const CardList = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr));
  gap: 12px;
`

const CardBox = styled.li`
  display: grid;
  align-content: start;
  gap: 12px;
  padding: 16px;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  background: ${color.page};

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

/** The last cell of a row: one or two text actions and the menu with the rest. */
export const RowActions = styled.div`
  display: flex;
  align-items: center;
  justify-content: flex-end;
  gap: 4px;

  /* The words of the last button end where the head's do. */
  ${media.wide} {
    > :last-child:not([aria-haspopup]) {
      margin-right: -10px;
    }
  }
`

/** What is longer than two lines ends in an ellipsis; whoever shows it gives the whole as a title. */
const twoLines = css`
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
  overflow: hidden;
`

/** Two lines in one cell: the name, and what identifies it. */
export const TwoLines = styled.div`
  display: grid;
  grid-template-columns: minmax(0, auto);
  min-width: 0;

  > a,
  > button,
  > small {
    ${twoLines}
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }
`

/** A row's name, which opens it. */
export const NameButton = styled.button`
  justify-self: start;
  max-width: 100%;
  padding: 0;
  border: 0;
  background: transparent;
  color: ${color.primary.text};
  text-align: start;
  overflow-wrap: anywhere;
  ${font.sm}
  cursor: pointer;

  &:hover {
    text-decoration: underline;
  }

  ${media.narrow} {
    min-height: 24px;
    ${font.md}
    ${font.strong}
  }
`

export const Mono = styled.span`
  font-family: ${font.family.mono};
  ${font.numbers}
`
