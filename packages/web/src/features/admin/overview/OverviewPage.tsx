import type { OverviewView } from '@vps/shared/audit'
import { orderStatuses, orderStatusNames } from '@vps/shared/orders'
import { startOfShanghaiDay } from '@vps/shared/time'
import { lazy, Suspense, useMemo } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { color, font, media } from '../../../theme/tokens'
import { Card } from '../../../ui/Card'
import { Tag } from '../../../ui/Chip'
import { Money } from '../../../ui/Money'
import { Page } from '../../../ui/Page'
import { Bar, Failed } from '../../../ui/states'
import { SummaryCards } from '../../../ui/SummaryCards'
import { Dim, durationText } from '../../../ui/Time'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { Meter } from '../parts/Meter'

const LineChart = lazy(async () => ({ default: (await import('../../../ui/LineChart')).LineChart }))

/** 概览. */
export default function OverviewPage() {
  return (
    <AdminOnly title="概览" denied={operationsDenied}>
      <Overview />
    </AdminOnly>
  )
}

function Overview() {
  // Hints go to owners; what operators watch is the whole shop, so it is asked again.
  const overview = trpc.admin.operations.overview.useQuery(undefined, { refetchInterval: 15_000 })
  const shown = overview.data
  const today = shown?.incomeByDay.at(-1)
  return (
    <Page
      title="概览"
      refresh={{
        updatedAt: overview.dataUpdatedAt,
        busy: overview.isFetching,
        run: () => void overview.refetch(),
      }}
    >
      <SummaryCards
        failed={overview.isError}
        cards={[
          { label: '今日充值', value: today && <Money yuan={today.recharged} /> },
          { label: '今日消费', value: today && <Money yuan={today.spent} /> },
          { label: '活跃订单', value: shown && (shown.ordersByStatus['ACTIVE'] ?? 0) },
          { label: '用户', value: shown?.users },
        ]}
      />
      {overview.isError && !shown ? (
        <Failed title="加载概览失败" error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <Grid>
          <Wide title="每日收支" note="近 30 天">
            {shown ? <Income days={shown.incomeByDay} /> : <Bar $height={260} />}
          </Wide>
          <Card title="待处理">{shown ? <Attention shown={shown} /> : <Bar $height={180} />}</Card>
          <Card title="订单状态">{shown ? <Orders counts={shown.ordersByStatus} /> : <Bar $height={180} />}</Card>
          <Card title="各分组剩余容量" note="按 2 核 4 GB 40 GB 计">
            {shown ? <Capacity groups={shown.groups} /> : <Bar $height={180} />}
          </Card>
          <Card title="开通耗时" note="付款到可用，近 30 天">
            {shown ? <SetUp times={shown.setUpSeconds} /> : <Bar $height={180} />}
          </Card>
        </Grid>
      )}
    </Page>
  )
}

const yuanText = (yuan: number) => `¥${yuan.toLocaleString('zh-CN', { maximumFractionDigits: 0 })}`

function Income({ days }: { days: OverviewView['incomeByDay'] }) {
  const times = useMemo(() => days.map(({ day }) => startOfShanghaiDay(day).toISOString()), [days])
  const lines = useMemo(
    () => [
      { label: '充值', values: days.map(({ recharged }) => recharged) },
      { label: '消费', values: days.map(({ spent }) => spent) },
      { label: '退款', values: days.map(({ refunded }) => refunded) },
    ],
    [days],
  )
  return (
    <Suspense fallback={<Bar $height={260} />}>
      <LineChart title="金额" times={times} lines={lines} format={yuanText} />
    </Suspense>
  )
}

function Attention({ shown }: { shown: OverviewView }) {
  const { hosts } = shown
  const rows: [label: string, href: string, count: number, bad: boolean][] = [
    ['退款申请', paths.refunds(), shown.pendingRefunds, shown.pendingRefunds > 0],
    ['近 7 天失败的任务', paths.jobs({ status: 'FAILED' }), shown.failedJobs, shown.failedJobs > 0],
    ['进行中的任务', paths.jobs(), shown.openJobs, false],
    ['未处理的发现项', paths.findings(), hosts.findings, hosts.findings > 0],
    ['失联的宿主机', paths.hosts(), hosts.total - hosts.alive, hosts.alive < hosts.total],
  ]
  return (
    <Rows>
      {rows.map(([label, href, count, bad]) => (
        <li key={label}>
          <Link href={href}>{label}</Link>
          <Tag $tone={bad ? 'warning' : 'neutral'}>{count}</Tag>
        </li>
      ))}
      <li>
        <Link href={paths.hosts()}>在线的宿主机</Link>
        <span>
          {hosts.alive} <Dim>/ {hosts.total}</Dim>
        </span>
      </li>
    </Rows>
  )
}

function Orders({ counts }: { counts: OverviewView['ordersByStatus'] }) {
  return (
    <Rows>
      {orderStatuses.map((status) => (
        <li key={status}>
          <Link href={paths.allOrders({ status })}>{orderStatusNames[status]}</Link>
          <span>{counts[status] ?? 0}</span>
        </li>
      ))}
    </Rows>
  )
}

function Capacity({ groups }: { groups: OverviewView['groups'] }) {
  const most = Math.max(1, ...groups.map(({ smallestLeft }) => smallestLeft))
  if (groups.length === 0) return <Dim>还没有启用的分组</Dim>
  return (
    <Rows>
      {groups.map(({ id, name, smallestLeft }) => (
        <li key={id}>
          <Link href={paths.servers({ group: id })}>{name}</Link>
          <Left>
            <Meter label={`${name} 剩余容量`} share={smallestLeft / most} tone="primary" />
            {smallestLeft > 0 ? (
              <span>
                {smallestLeft} <Dim>台</Dim>
              </span>
            ) : (
              <Tag $tone="error">售罄</Tag>
            )}
          </Left>
        </li>
      ))}
    </Rows>
  )
}

function SetUp({ times }: { times: OverviewView['setUpSeconds'] }) {
  if (!times) return <Dim>近 30 天没有新开通的服务器</Dim>
  return (
    <Figures>
      <div>
        <dt>中位数 (p50)</dt>
        <dd>{secondsText(times.p50)}</dd>
      </div>
      <div>
        <dt>95% 以内 (p95)</dt>
        <dd>{secondsText(times.p95)}</dd>
      </div>
      <div>
        <dt>开通次数</dt>
        <dd>{times.count}</dd>
      </div>
    </Figures>
  )
}

const secondsText = (seconds: number) => (seconds < 60 ? `${seconds.toFixed(1)} 秒` : durationText(seconds))

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

const Wide = styled(Card)`
  ${media.wide} {
    grid-column: span 2;
  }
`

const Rows = styled.ul`
  li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    min-height: 36px;
    ${font.numbers}
  }

  li + li {
    border-top: 1px solid ${color.line};
  }

  ${media.phone} {
    li {
      min-height: 44px;
    }

    a {
      display: inline-flex;
      align-items: center;
      min-height: 44px;
    }
  }
`

const Left = styled.span`
  display: grid;
  grid-template-columns: 96px 72px;
  align-items: center;
  justify-items: end;
  gap: 12px;
`

const Figures = styled.dl`
  display: grid;
  gap: 12px;

  dt {
    color: ${color.text2};
  }

  dd {
    ${font.xl}
    ${font.strong}
    ${font.numbers}
  }
`
