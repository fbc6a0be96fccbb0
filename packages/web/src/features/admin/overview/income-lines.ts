import * as verbs from '@vps/shared/verbs'
import type { ChartLine } from '../../../ui/line-chart'

export const incomeLines = (rows: { recharged: number; spent: number; refunded: number }[]): ChartLine[] => [
  { label: verbs.recharge, values: rows.map(({ recharged }) => recharged) },
  { label: '消费', values: rows.map(({ spent }) => spent) },
  { label: verbs.refund, values: rows.map(({ refunded }) => refunded) },
]
