import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as pages from '../../page-names'
import * as text from '@vps/shared/text'
import { ArrowLeft, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import styled from 'styled-components'
import { Redirect, useSearchParams } from 'wouter'
import { codeOf, messageOf } from '../../api/errors'
import { paths } from '../../paths'
import type { ConsoleServer } from '../../servers/console-server'
import { toast } from '../../ui/toast'
import { Button, ButtonLink } from '../../ui/Button'
import { Mono } from '../../ui/cells'
import { Chip } from '../../ui/Chip'
import { Denied } from '../../ui/Denied'
import { PowerChip } from '../../ui/order'
import { Page } from '../../ui/Page'
import { TabLinks } from '../../ui/TabLinks'
import { usePhone } from '../../theme/use-media'
import { usePressed } from '../../ui/use-pressed'
import { ConsoleLoading } from './ConsoleLoading'
import { partIn, partsOf } from './console-parts'
import { HeadActs, HeadActsLoading } from './HeadActs'
import { RenameButton } from './RenameButton'
import { ServerParts } from './ServerParts'
import { Opening } from '../../ui/Opening'
import { useConsole } from './use-console'

const refreshLabel = '刷新数据'

const WithoutServer = lazy(() => import('./WithoutServer'))
const PayDialog = lazy(() => import('../../checkout/PayDialog'))

/** Its address has the order's id. */
export default function ConsolePage({ id }: { id?: string }) {
  const { order, details, server, loading, refresh } = useConsole(id)
  const reading = usePressed(refresh)
  const [search] = useSearchParams()
  const phone = usePhone()
  const [watched, setWatched] = useState<string | null>(null)
  // Kept here, since it leads on once the order has a server.
  const [paying, setPaying] = useState(false)
  const lost = !id || (order.isError && !order.data)
  const denied = codeOf(details.error) === 'CONSOLE_DENIED' || codeOf(order.error) === 'CONSOLE_DENIED'

  useEffect(() => {
    if (lost && !denied) toast(loadFailure(order.error), 'error')
  }, [lost, denied, order.error])

  if (denied) return <Denied reason={text.consoleDenied} />
  if (lost) return <Redirect to={paths.dashboard()} replace />

  return (
    <Page
      title={server?.serverName ?? pages.serverManagement}
      note={<Note server={server} orderNumber={order.data?.orderNumber} />}
      back={
        <ButtonLink
          href={paths.dashboard()}
          aria-label={verbs.goBack}
          icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
        >
          {!phone && verbs.goBack}
        </ButtonLink>
      }
      actions={
        <>
          <Button
            icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden />}
            busy={reading.busy}
            disabled={!server}
            aria-label={refreshLabel}
            onClick={reading.press}
          >
            {!phone && refreshLabel}
          </Button>
          {server ? <HeadActs server={server} onStarted={setWatched} /> : loading && <HeadActsLoading />}
        </>
      }
    >
      {loading ? (
        <ConsoleLoading />
      ) : !server || !order.data ? (
        <Suspense fallback={null}>
          <WithoutServer order={order} onPay={() => setPaying(true)} />
        </Suspense>
      ) : (
        <>
          <TabLinks
            label="服务器的各部分"
            parts={partsOf(server)}
            current={partIn(search, partsOf(server))}
            hrefOf={(one) => paths.console(server.order.id, one === 'overview' ? undefined : one)}
          />
          <ServerParts
            part={partIn(search, partsOf(server))}
            server={server}
            details={details}
            watched={watched}
            onStarted={setWatched}
          />
        </>
      )}
      {paying && order.data && (
        <Opening onGiveUp={() => setPaying(false)}>
          <PayDialog orderId={order.data.id} onClose={() => setPaying(false)} />
        </Opening>
      )}
    </Page>
  )
}

function Note({ server, orderNumber }: { server: ConsoleServer | null; orderNumber: string | undefined }) {
  return (
    <About>
      {server && <PowerChip power={server.power} observedAt={server.powerObservedAt} />}
      {server?.rescue.since && <Chip tone="warning">{labels.rescue}</Chip>}
      {server?.iso.inserted && <Chip tone="warning">{labels.disc}</Chip>}
      {server && <RenameButton server={server} />}
      {orderNumber && <Mono>{orderNumber}</Mono>}
    </About>
  )
}

/** From specification section 2 and its error catalogue. */
const loadFailure = (error: unknown) =>
  error ? `${text.serverLoadFailed}（${text.orderLoadFailed}: ${messageOf(error)}）` : text.serverLoadFailed

const About = styled.span`
  display: inline-flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 2px 10px;
`
