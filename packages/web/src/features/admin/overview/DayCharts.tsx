import { numberText } from '@vps/shared/digits'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { OverviewView } from '@vps/shared/overview.contract'
import { startOfShanghaiDay } from '@vps/shared/time'
import { lazy, Suspense, useState } from 'react'
import styled from 'styled-components'
import { media } from '../../../theme/tokens'
import type { ChartLine } from '../../../ui/line-chart'
import { chartRoom, ChartWaiting } from '../../../ui/ChartWaiting'
import { Dim } from '../../../ui/Time'
import { FigureRow } from './FigureRow'
import { StepTimes } from './StepTimes'
import { countText, secondsText, yuanText } from './figure-texts'

const LineChart = lazy(async () => ({ default: (await import('../../../ui/LineChart')).LineChart }))

/** 每日收支. */
export function Income({ days }: { days: OverviewView['incomeByDay'] }) {
  return (
    <ByDay
      title={labels.amount}
      days={days}
      format={yuanText}
      lines={(rows) => [
        { label: verbs.recharge, values: rows.map(({ recharged }) => recharged) },
        { label: '消费', values: rows.map(({ spent }) => spent) },
        { label: verbs.refund, values: rows.map(({ refunded }) => refunded) },
      ]}
    />
  )
}

/** From payment to a proven server. */
export function SetUp({ shown }: { shown: OverviewView }) {
  const { setUpByDay: days, setUpSeconds: total, setUpSteps: steps } = shown
  if (!total) return <Dim>近 30 天没有新开通的服务器</Dim>
  return (
    <>
      <FigureRow
        figures={[
          ['中位数 (p50)', secondsText(total.p50)],
          ['95% 以内 (p95)', secondsText(total.p95)],
          ['开通次数', numberText(total.count)],
        ]}
      />
      <ByDay
        title="每日耗时"
        days={days}
        format={secondsText}
        lines={(rows) => [
          { label: 'p50', values: rows.map(({ p50 }) => p50) },
          { label: 'p95', values: rows.map(({ p95 }) => p95) },
        ]}
      />
      {steps.length > 0 && <StepTimes steps={steps} />}
    </>
  )
}

/** 失败的任务. */
export function FailedJobs({ days }: { days: OverviewView['failedJobsByDay'] }) {
  if (days.every(({ count }) => count === 0)) return <Nothing>近 30 天没有失败的任务</Nothing>
  return (
    <ByDay
      title="每日数量"
      days={days}
      firstColour={2}
      format={countText}
      lines={(rows) => [{ label: states.failed, values: rows.map(({ count }) => count) }]}
    />
  )
}

/** As high as the chart, so that its coming to nothing moves nothing. */
const Nothing = styled(Dim)`
  ${media.wide} {
    display: grid;
    place-items: center;
    min-height: ${chartRoom}px;
  }
`

interface ByDayProps<Day> {
  title: string
  days: Day[]
  lines: (days: Day[]) => ChartLine[]
  format: (value: number) => string
  firstColour?: number
}

function ByDay<Day extends { day: string }>({ days, lines, ...chart }: ByDayProps<Day>) {
  const [pointed, onPoint] = useState<number | null>(null)
  const times = days.map(({ day }) => startOfShanghaiDay(day).toISOString())
  return (
    <Suspense fallback={<ChartWaiting />}>
      <LineChart times={times} lines={lines(days)} pointed={pointed} onPoint={onPoint} {...chart} />
    </Suspense>
  )
}
