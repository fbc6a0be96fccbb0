import { numberText } from '@vps/shared/digits'
import * as states from '@vps/shared/states'
import type { OverviewView } from '@vps/shared/overview.contract'
import styled from 'styled-components'
import { media } from '../../../theme/tokens'
import { chartRoom } from '../../../ui/ChartWaiting'
import { Dim } from '../../../ui/Time'
import { ByDay } from './ByDay'
import { FigureRow } from './FigureRow'
import { StepTimes } from './StepTimes'
import { countText, secondsText } from './figure-texts'

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
