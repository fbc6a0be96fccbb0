import * as verbs from '@vps/shared/verbs'
import * as pages from '../../page-names'
import { graceHours } from '@vps/shared/deadlines'
import { orderCan, suspensionText } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { ArrowLeft, Ban, CreditCard, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import styled from 'styled-components'
import { Redirect } from 'wouter'
import { codeOf, failureOf, messageOf } from '../../api/errors'
import { silenceLookMs } from '../../api/look-again'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { media } from '../../theme/tokens'
import { Notice } from '../../ui/Notice'
import { watchJob } from '../../jobs/watched-jobs'
import { Alert } from '../../ui/Alert'
import { Button, ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Page } from '../../ui/Page'
import { Bar, Empty, Failed, Loading } from '../../ui/states'
import { Mono } from '../../ui/cells'
import { toast } from '../../ui/toast'
import { usePhone } from '../../ui/use-media'
import { ConfigCard } from './ConfigCard'
import { JobStatus } from './JobStatus'
import { LogCard, logPage } from './LogCard'
import { MonitoringCard } from './MonitoringCard'
import { PasswordCard } from './PasswordCard'
import { PowerCard } from './PowerCard'
import { ReinstallCard } from './ReinstallCard'
import { consoleOf, type ConsoleServer } from './server'
import type { OrderView } from '@vps/shared/orders.contract'

const PayDialog = lazy(() => import('../../checkout/PayDialog'))

/** The address has the order's id. */
export default function ConsolePage({ id }: { id?: string }) {
  const { order, details, server, loading, refresh } = useConsole(id)
  const lost = !id || (order.isError && !order.data)
  const denied = codeOf(details.error) === 'CONSOLE_DENIED' || codeOf(order.error) === 'CONSOLE_DENIED'

  useEffect(() => {
    if (lost && !denied) toast(loadFailure(order.error), 'error')
  }, [lost, denied, order.error])

  if (denied) return <Denied />
  if (lost) return <Redirect to={paths.dashboard()} replace />

  return (
    <Page
      title={server?.serverName ?? pages.serverManagement}
      heading={pages.serverManagement}
      note={order.data && <Mono>{order.data.orderNumber}</Mono>}
      back={
        <ButtonLink href={paths.dashboard()} icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}>
          {verbs.goBack}
        </ButtonLink>
      }
      actions={
        <Button
          icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden />}
          busy={order.isRefetching || details.isRefetching}
          disabled={!server}
          onClick={() => void refresh()}
        >
          刷新数据
        </Button>
      }
    >
      {loading ? (
        <ConsoleLoading />
      ) : !server || !order.data ? (
        <Panel>
          {order.data?.status === 'PENDING' ? (
            <Unpaid orderId={order.data.id} />
          ) : (
            <Failed
              title={text.serverLoadFailed}
              error={order.error}
              reason="该订单没有服务器。"
              hint="请检查服务器ID是否正确。"
              onRetry={() => void order.refetch()}
            />
          )}
        </Panel>
      ) : (
        <Cards order={order.data} server={server} details={details} />
      )}
    </Page>
  )
}

function useConsole(id: string | undefined) {
  const order = trpc.orders.get.useQuery({ id: id ?? '' }, { enabled: Boolean(id) })
  const serverId = order.data?.serverId
  const details = trpc.console.details.useQuery(
    { id: serverId ?? '' },
    { enabled: Boolean(serverId), refetchInterval: silenceLookMs },
  )
  // Read here too, beside the cards, so that the page appears whole.
  const parts = [
    trpc.console.monitoring.useQuery({ id: serverId ?? '' }, { enabled: Boolean(serverId) }),
    trpc.console.logs.useQuery(logPage(serverId ?? ''), { enabled: Boolean(serverId) }),
  ]
  const utils = trpc.useUtils()

  async function refresh() {
    const results = await Promise.allSettled([
      order.refetch({ throwOnError: true }),
      details.refetch({ throwOnError: true }),
      utils.console.monitoring.invalidate(),
      utils.console.logs.invalidate(),
    ])
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) toast(failureOf(text.refreshFailed, failure.reason), 'error')
  }

  // A read that failed once has ended: its card, appearing, reads again and must not be taken away for that.
  const loading =
    order.isPending ||
    (Boolean(serverId) && [details, ...parts].some((read) => read.isPending && read.errorUpdateCount === 0))
  const server = order.data && serverId ? consoleOf(order.data, details.data) : null
  return { order, details, server, loading, refresh }
}

function Denied() {
  return (
    <Notice icon={Ban} title="访问被拒绝" text={text.consoleDenied}>
      <ButtonLink tone="primary" href={paths.dashboard()}>
        返回控制台
      </ButtonLink>
    </Notice>
  )
}

interface CardsProps {
  order: OrderView
  server: ConsoleServer
  details: { isError: boolean; data: { openJob: { id: string } | null } | undefined; refetch: () => Promise<unknown> }
}

function Cards({ order, server, details }: CardsProps) {
  // Asked for here, or found open.
  const [watched, setWatched] = useState<string | null>(null)
  const openJob = details.data?.openJob?.id
  if (openJob && openJob !== watched) setWatched(openJob)

  // Its end is told on whatever page.
  useEffect(() => {
    if (watched) watchJob(watched)
  }, [watched])

  return (
    <Stack>
      {details.isError && (
        <Alert tone="warning" action={<Button onClick={() => void details.refetch()}>{verbs.retry}</Button>}>
          {text.serverLoadFailed}。以下为订单中的信息，请检查服务器ID。
        </Alert>
      )}
      {server.trouble && <Alert tone="error">{server.trouble}</Alert>}
      {!orderCan.act(order) && <Held order={order} serverId={server.id} />}
      <ConfigCard server={server} job={watched && <JobStatus key={watched} jobId={watched} />} />
      <MonitoringCard server={server} />
      <Pair>
        <PowerCard server={server} onStarted={setWatched} />
        <PasswordCard server={server} onStarted={setWatched} />
      </Pair>
      <ReinstallCard server={server} />
      <LogCard serverId={server.id} />
    </Stack>
  )
}

function Held({ order, serverId }: { order: OrderView; serverId: string }) {
  return (
    <Alert
      tone="warning"
      action={
        order.status === 'SUSPENDED' ? (
          <ButtonLink href={paths.orders(order.id)}>{verbs.viewOrder}</ButtonLink>
        ) : orderCan.viewProgress(order) ? (
          <ButtonLink href={paths.installProgress(serverId)}>{verbs.viewProgress}</ButtonLink>
        ) : undefined
      }
    >
      {order.status === 'SUSPENDED'
        ? order.suspendReason === 'admin'
          ? `${suspensionText(order)}。数据保留，请联系客服。`
          : `服务器因到期已暂停，数据保留 ${graceHours} 小时，续费后自动恢复。`
        : orderCan.act.reason(order)}
    </Alert>
  )
}

/** Nothing was paid, so nothing is wrong. */
function Unpaid({ orderId }: { orderId: string }) {
  const [paying, setPaying] = useState(false)
  return (
    <>
      <Empty
        icon={CreditCard}
        title="该订单尚未支付"
        action={
          <Button tone="primary" onClick={() => setPaying(true)}>
            去支付
          </Button>
        }
      >
        付款后开始安装服务器，完成后在这里管理。
      </Empty>
      {paying && (
        <Suspense fallback={null}>
          <PayDialog orderId={orderId} onClose={() => setPaying(false)} />
        </Suspense>
      )}
    </>
  )
}

/** From specification section 2 and its error catalogue. */
const loadFailure = (error: unknown) =>
  error ? `${text.serverLoadFailed}（${text.orderLoadFailed}: ${messageOf(error)}）` : text.serverLoadFailed

/** As high as what comes, on desktop and phone. */
const heights = [
  [266, 758],
  [549, 999],
  [226, 612],
  [264, 536],
] as const

function ConsoleLoading() {
  const phone = usePhone()
  return (
    <Loading label="正在加载服务器信息">
      <Stack>
        {heights.map(([desktop, onPhone]) => (
          <Panel as="div" key={desktop} style={{ height: phone ? onPhone : desktop }}>
            <Bar $width="160px" $height={20} />
            <Lines>
              {Array.from({ length: 12 }, (_, i) => (
                <Bar key={i} $width={i % 3 ? '70%' : '90%'} />
              ))}
            </Lines>
          </Panel>
        ))}
      </Stack>
    </Loading>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 16px;

  ${media.phone} {
    gap: 12px;
  }
`

const Lines = styled.div`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: 22px 32px;
  margin-top: 28px;
  max-height: calc(100% - 48px);
  overflow: hidden;

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Pair = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
    gap: inherit;
  }
`
