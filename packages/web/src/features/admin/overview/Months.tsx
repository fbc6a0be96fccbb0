import { numberText } from '@vps/shared/digits'
import * as labels from '@vps/shared/labels'
import { fen, sumFen, yuan, type Fen } from '@vps/shared/money'
import type { MonthsView } from '@vps/shared/overview.contract'
import { startOfShanghaiDay } from '@vps/shared/time'
import { useMemo } from 'react'
import { trpc } from '../../../api/trpc'
import { RangeCharts, type RangeChart } from '../../../ui/RangeCharts'
import { FigureRow } from './FigureRow'
import { countText, yuanText } from './figure-texts'
import { incomeLines } from './income-lines'

/** The sums of a year, and what each month brought. */
export function Months() {
  const read = trpc.operations.months.useQuery()
  const rows = read.data
  const charts = useMemo(() => chartsOf(rows ?? []), [rows])
  const times = useMemo(() => (rows ?? []).map(({ month }) => startOfShanghaiDay(`${month}-01`).toISOString()), [rows])
  const ofYear = rows && sumsOf(rows)
  return (
    <>
      {(rows || !read.isError) && (
        <FigureRow
          figures={[
            ['充值合计', ofYear && yuanText(ofYear.recharged)],
            ['消费减退款', ofYear && yuanText(ofYear.net)],
            [newServers, ofYear && numberText(ofYear.setUps)],
            [newUsers, ofYear && numberText(ofYear.newUsers)],
          ]}
        />
      )}
      <RangeCharts times={times} charts={charts} read={read} failed="每月收支读取失败" />
    </>
  )
}

const newServers = '新开通服务器'
const newUsers = '新用户'

function sumsOf(rows: MonthsView) {
  const money = (of: (row: MonthsView[number]) => Fen) => yuan.encode(sumFen(rows.map(of)))
  const count = (of: (row: MonthsView[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  return {
    recharged: money((row) => yuan.decode(row.recharged)),
    net: money((row) => fen(yuan.decode(row.spent) - yuan.decode(row.refunded))),
    setUps: count((row) => row.setUps),
    newUsers: count((row) => row.newUsers),
  }
}

const chartsOf = (rows: MonthsView): RangeChart[] => [
  { title: labels.amount, lines: incomeLines(rows), format: yuanText },
  {
    title: labels.quantity,
    firstColour: 3,
    lines: [
      { label: newServers, values: rows.map(({ setUps }) => setUps) },
      { label: newUsers, values: rows.map(({ newUsers: users }) => users) },
    ],
    format: countText,
  },
]
