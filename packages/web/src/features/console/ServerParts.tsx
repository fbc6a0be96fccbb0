import * as verbs from '@vps/shared/verbs'
import { orderCan } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { lazy, Suspense, useEffect, useState } from 'react'
import styled from 'styled-components'
import { upgradeReason } from '../../checkout/upgrade-reason'
import { watchJob } from '../../jobs/watched-jobs'
import type { ReinstallDraft } from '../../servers/reinstall'
import { media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Opening } from '../../ui/Opening'
import { Bar } from '../../ui/states'
import { useParam } from '../../ui/use-param'
import { hasNoSystem, type ConsolePart } from './console-parts'
import { JobStatus } from './JobStatus'
import { OverviewPart } from './OverviewPart'
import type { ConsoleServer } from '../../servers/console-server'
import { useOwn } from './use-own'

const Held = lazy(() => import('./Held'))
const RenewConfirm = lazy(async () => ({ default: (await import('../../checkout/RenewConfirm')).RenewConfirm }))
const UpgradeDialog = lazy(() => import('../../checkout/UpgradeDialog'))
const RescueState = lazy(() => import('./RescueState'))
const IsoState = lazy(() => import('./IsoState'))
const parts = {
  monitoring: lazy(async () => ({ default: (await import('./MonitoringPart')).MonitoringPart })),
  network: lazy(async () => ({ default: (await import('./NetworkPart')).NetworkPart })),
  disk: lazy(async () => ({ default: (await import('./DiskPart')).DiskPart })),
  security: lazy(async () => ({ default: (await import('./SecurityPart')).SecurityPart })),
  logs: lazy(async () => ({ default: (await import('./LogsPart')).LogsPart })),
} satisfies Record<Exclude<ConsolePart, 'overview'>, unknown>

interface Props {
  part: ConsolePart
  server: ConsoleServer
  details: { isError: boolean; data: { openJob: { id: string } | null } | undefined; refetch: () => Promise<unknown> }
  watched: string | null
  onStarted: (jobId: string) => void
}

/** One part, below what holds for all. */
export function ServerParts({ part, server, details, watched, onStarted }: Props) {
  // What is half filled in stays while another part is shown.
  const password = useState('')
  const reinstall = useState<ReinstallDraft | null>(null)
  // A question about a state outlives it: its answer may be lost, and is asked for again.
  const [renewing, setRenewing] = useState(false)
  const [growing, grow] = useGrowth(server.order)
  const leaving = useState(false)
  const ejecting = useState(false)
  // What a migration does is told as that, not as acts of its owner's.
  const openJob = server.migrating ? null : details.data?.openJob?.id
  useEffect(() => {
    if (openJob) onStarted(openJob)
  }, [openJob, onStarted])

  useEffect(() => {
    if (watched) watchJob(watched)
  }, [watched])

  const renew = () => setRenewing(true)
  const Chosen = part === 'overview' ? null : parts[part]
  return (
    <Stack>
      {watched && <JobStatus key={watched} jobId={watched} />}
      {details.isError && (
        <Alert tone="warning" action={<Button onClick={() => void details.refetch()}>{verbs.retry}</Button>}>
          {text.serverLoadFailed}。以下为订单中的信息，请检查服务器ID。
        </Alert>
      )}
      {server.migrating && (
        <Alert tone="info">
          {server.movesBack ? '服务器的迁移没有完成，正在原来的宿主机上恢复，' : '服务器正在迁移到另一台宿主机，'}
          完成后恢复原来的电源状态。数据、IP 地址与密码不变。
        </Alert>
      )}
      {server.trouble && <Alert tone="error">{server.trouble}</Alert>}
      {(server.rescue.since !== null || leaving[0]) && (
        <Suspense fallback={null}>
          <RescueState server={server} asking={leaving} onStarted={onStarted} />
        </Suspense>
      )}
      {(server.iso.inserted || ejecting[0]) && (
        <Suspense fallback={null}>
          <IsoState server={server} asking={ejecting} />
        </Suspense>
      )}
      {(hasNoSystem(server) || server.hostLost || !orderCan.act(server.order)) && (
        <Suspense fallback={null}>
          <Held server={server} onRenew={renew} />
        </Suspense>
      )}
      {Chosen === null ? (
        <OverviewPart
          server={server}
          onRenew={renew}
          onUpgrade={grow}
          onStarted={onStarted}
          password={password}
          reinstall={reinstall}
        />
      ) : (
        <Suspense fallback={<Awaited />}>
          <Chosen server={server} onStarted={onStarted} onUpgrade={grow} />
        </Suspense>
      )}
      {renewing && (
        <Opening onGiveUp={() => setRenewing(false)}>
          <RenewConfirm order={server.order} onClose={() => setRenewing(false)} />
        </Opening>
      )}
      {growing && (
        <Opening onGiveUp={() => grow(null)}>
          <UpgradeDialog order={server.order} first={growing} onStarted={onStarted} onClose={() => grow(null)} />
        </Opening>
      )}
    </Stack>
  )
}

/** What is to grow, where the order may; what is open stays until it is answered, though nothing may be bought by then. */
function useGrowth(order: ConsoleServer['order']) {
  const [wanted, grow] = useParam('upgrade')
  const [growing, setGrowing] = useState<string | null>(null)
  const { own } = useOwn(order)
  const mayGrow = own && upgradeReason(order) === null
  if (growing !== wanted && (wanted === null || mayGrow)) setGrowing(wanted)
  return [growing, grow] as const
}

const Awaited = () => (
  <Panel as="div">
    <Bar $height={240} />
  </Panel>
)

const Stack = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;

  ${media.phone} {
    gap: 12px;
  }
`
