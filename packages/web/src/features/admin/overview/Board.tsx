import { numberText } from '@vps/shared/digits'
import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import { failedJobDays } from '@vps/shared/overview'
import type { OverviewView } from '@vps/shared/overview.contract'
import { orderStatuses, orderStatusNames, type OrderStatus } from '@vps/shared/orders'
import { lazy, Suspense, type ReactNode } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../../paths'
import { media } from '../../../theme/tokens'
import { Card } from '../../../ui/Card'
import { Tag } from '../../../ui/Chip'
import { ChartWaiting } from '../../../ui/ChartWaiting'
import { Dim } from '../../../ui/Time'
import { Meter } from '../parts/Meter'
import { useUnsold } from '../parts/use-unsold'
import { usualSize } from '../parts/usual-size'
import { FailedJobs, SetUp } from './DayCharts'
import { HostsCard } from './HostsCard'
import { IncomeCard } from './IncomeCard'
import { LatencyCard } from './LatencyCard'
import { Measure, Rows } from './Rows'
import { WideCard } from './WideCard'

/** As many as stand beside a chart. */
const shownGroups = 8

const FirstSale = lazy(async () => ({ default: (await import('./FirstSale')).FirstSale }))

/** Undefined while awaited. */
export function Board({ shown }: { shown: OverviewView | undefined }) {
  const when = (content: (shown: OverviewView) => ReactNode) => (shown ? content(shown) : <ChartWaiting />)
  // Asked with the overview: a reason that came after it would move what is there.
  const reasons = useUnsold()
  return (
    <Grid>
      {shown?.firstSale ? (
        <WideCard title="开业准备" note="第一笔订单之前">
          <Suspense fallback={<ChartWaiting />}>
            <FirstSale steps={shown.firstSale} sells={shown.groups.some(({ id }) => !reasons.has(id))} />
          </Suspense>
        </WideCard>
      ) : (
        <IncomeCard days={shown?.incomeByDay} />
      )}
      <Card title={states.pending}>
        {when((view) => (
          <Attention shown={view} />
        ))}
      </Card>
      <LatencyCard />
      <Card title="订单状态">
        {when(({ ordersByStatus }) => (
          <Orders counts={ordersByStatus} />
        ))}
      </Card>
      <WideCard title="失败的任务" note={labels.last30Days}>
        {when(({ failedJobsByDay }) => (
          <FailedJobs days={failedJobsByDay} />
        ))}
      </WideCard>
      <HostsCard counts={shown?.hosts} />
      {/* Last, as what they come to cannot be held free: below them nothing moves. */}
      <WideCard title="开通耗时" note="付款到可用，近 30 天">
        {when((view) => (
          <SetUp shown={view} />
        ))}
      </WideCard>
      <Card
        title="各分组剩余容量"
        note={
          shown && shown.groups.length > shownGroups
            ? `最少的 ${shownGroups} 个，按 ${usualSize} 计`
            : `按 ${usualSize} 计`
        }
        actions={<Link href={paths.groups()}>{labels.all}</Link>}
      >
        {when(({ groups }) => (
          <Capacity groups={groups} reasons={reasons} />
        ))}
      </Card>
    </Grid>
  )
}

function Attention({ shown }: { shown: OverviewView }) {
  const { hosts } = shown
  const from = shown.failedJobsByDay.at(-failedJobDays)?.day
  const rows: [label: string, href: string, count: number, isUsual?: true][] = [
    [labels.refundRequest, paths.refunds(), shown.pendingRefunds],
    [`近 ${failedJobDays} 天失败的任务`, paths.jobs({ status: 'FAILED', from }), shown.failedJobs],
    [labels.openJobs, paths.jobs(), shown.openJobs, true],
    ['未处理的发现项', paths.findings(), hosts.findings],
    ['失联的宿主机', paths.hosts({ state: 'SILENT' }), hosts.silent],
  ]
  return (
    <Rows>
      {rows.map(([label, href, count, isUsual]) => (
        <li key={label}>
          <Link href={href}>{label}</Link>
          <Tag $tone={count === 0 || isUsual ? 'neutral' : 'warning'}>{numberText(count)}</Tag>
        </li>
      ))}
    </Rows>
  )
}

/** Of thirty days only: else they would outgrow everything. */
const ended: readonly OrderStatus[] = ['CANCELLED', 'EXPIRED']

function Orders({ counts }: { counts: OverviewView['ordersByStatus'] }) {
  const most = Math.max(1, ...orderStatuses.map((status) => counts[status] ?? 0))
  return (
    <Rows>
      {orderStatuses.map((status) => (
        <li key={status}>
          <span>
            <Link href={paths.allOrders({ status })}>{orderStatusNames[status]}</Link>
            {ended.includes(status) && <Dim> {labels.last30Days}</Dim>}
          </span>
          <Measure>
            <Meter label={`${orderStatusNames[status]}的订单`} share={(counts[status] ?? 0) / most} tone="primary" />
            <span>{numberText(counts[status] ?? 0)}</span>
          </Measure>
        </li>
      ))}
    </Rows>
  )
}

function Capacity({ groups, reasons }: { groups: OverviewView['groups']; reasons: ReadonlyMap<string, string> }) {
  const most = Math.max(1, ...groups.map(({ smallestLeft }) => smallestLeft))
  if (groups.length === 0) return <Dim>还没有启用的分组</Dim>
  const scarce = groups.toSorted((a, b) => a.smallestLeft - b.smallestLeft).slice(0, shownGroups)
  return (
    <Rows>
      {(groups.length > shownGroups ? scarce : groups).map(({ id, name, smallestLeft }) => {
        const reason = reasons.get(id)
        return (
          <li key={id}>
            <Named>
              <Link href={paths.servers({ group: id })}>{name}</Link>
              {reason && <Dim>{reason}</Dim>}
            </Named>
            <Measure>
              <Meter label={`${name} 剩余容量`} share={smallestLeft / most} tone="primary" />
              {smallestLeft > 0 ? (
                <span>
                  {numberText(smallestLeft)} <Dim>{labels.machinesUnit}</Dim>
                </span>
              ) : (
                <Tag $tone="error">{states.soldOut}</Tag>
              )}
            </Measure>
          </li>
        )
      })}
    </Rows>
  )
}

const Named = styled.span`
  display: grid;
  min-width: 0;
  overflow-wrap: anywhere;
`

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }

  ${media.phone} {
    gap: 12px;
  }
`
