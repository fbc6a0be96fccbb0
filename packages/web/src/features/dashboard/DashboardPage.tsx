import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as pages from '../../page-names'
import { orderStatusNames } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { Server } from 'lucide-react'
import { lazy, useState } from 'react'
import styled from 'styled-components'
import { silenceLookMs } from '../../api/look-again'
import { lateByHand } from '../../loading/late-by-hand'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { changed, withChoice } from '../../ui/choice'
import { Page } from '../../ui/Page'
import { Heard } from '../../ui/heard-only'
import { PagedTable, cutPage } from '../../ui/PagedTable'
import { Empty } from '../../ui/states'
import { SummaryCards } from '../../ui/SummaryCards'
import { Toolbar } from '../../ui/Toolbar'
import { useUnhurried } from '../../ui/unhurried'
import { useFilters } from '../../ui/use-filters'
import { watchJob } from '../../jobs/watched-jobs'
import { consoleOf } from '../../servers/console-server'
import { PowerConfirm } from '../../servers/server-questions'
import { ChosenBar, type ManyActName } from './ChosenBar'
import { serverColumns } from './server-columns'
import type { ServerAct } from './server-entries'
import { Spending } from './Spending'
import { FilterSelect, StatusFilter } from '../../ui/FilterSelect'
import { Switch } from '../../ui/Switch'
import { Opening } from '../../ui/Opening'
import { useRecentCpu } from './use-recent-cpu'
import { endsSoon, grouped, groupOf, hasState, isWanted, labelsOf, living, serverStates } from './server-list'

const ConnectDialog = lateByHand(async () => ({ default: (await import('../../servers/ConnectDialog')).ConnectDialog }))
const InstallDialog = lazy(() => import('./InstallDialog'))
const LabelsDialog = lazy(() => import('./LabelsDialog'))
const RenewConfirm = lazy(async () => ({ default: (await import('../../checkout/RenewConfirm')).RenewConfirm }))
const ServerDialog = lateByHand(() => import('./ServerDialog'))
const ManyAct = lazy(() => import('./ManyAct'))

/** The signed-in person's servers. */
export default function DashboardPage() {
  const orders = trpc.orders.list.useQuery(undefined, { refetchInterval: silenceLookMs })
  const filters = useFilters(['q', 'status', 'label', 'group'] as const)
  const [asked, ask] = useState<Asked | null>(null)
  const servers = useUnhurried(orders.data)?.filter((order) => living.includes(order.status))
  const wanted = servers?.filter(isWanted(filters.values, new Date()))
  const isGrouped = filters.values.group !== ''
  const page = cutPage(isGrouped ? wanted && grouped(wanted) : wanted, filters.page, filters.size)
  const shownRows = page?.content ?? []
  const cpuOf = useRecentCpu(shownRows)
  const choice = useChoice(servers)

  return (
    <Page
      title={pages.console}
      refresh={{ updatedAt: orders.dataUpdatedAt, busy: orders.isFetching, run: () => void orders.refetch() }}
      actions={
        <ButtonLink tone="primary" href={paths.sales()}>
          购买服务器
        </ButtonLink>
      }
    >
      <Totals failed={orders.isError} servers={servers} />
      <Spending />
      <Conditions filters={filters} servers={servers} />
      <PagedTable
        label={labels.server}
        columns={withChoice(
          serverColumns((what, { id }) => ask({ what, id }), cpuOf),
          shownRows,
          choice,
        )}
        rowKey={(order) => order.id}
        {...(isGrouped && { groupOf })}
        read={{ ...orders, data: page }}
        paging={{ ...filters, active: filters.active && servers?.length !== 0 }}
        failed={text.ordersLoadFailed}
        expected={10}
        empty={<NoServers />}
      />
      {servers && <Foot>登录令牌永不过期；退出登录或修改密码后失效。</Foot>}
      <Chosen choice={choice} shown={shownRows} />
      {asked && servers && <Answer asked={asked} servers={servers} onClose={() => ask(null)} />}
    </Page>
  )
}

interface Asked {
  what: ServerAct
  id: string
}

/** As the server is now, not at opening. */
function Answer({ asked, servers, onClose }: { asked: Asked; servers: readonly OrderView[]; onClose: () => void }) {
  const order = servers.find(({ id }) => id === asked.id)
  if (!order) return null
  if (asked.what === 'restart')
    return <PowerConfirm server={consoleOf(order, undefined)} action="restart" onStarted={watchJob} onClose={onClose} />
  return (
    <Opening onGiveUp={onClose}>
      {asked.what === 'open' ? (
        <ServerDialog order={order} onClose={onClose} />
      ) : asked.what === 'connect' ? (
        <ConnectDialog server={order} onClose={onClose} />
      ) : asked.what === 'renew' ? (
        <RenewConfirm order={order} onClose={onClose} />
      ) : asked.what === 'label' ? (
        <LabelsDialog order={order} known={labelsOf(servers)} onClose={onClose} />
      ) : (
        <InstallDialog order={order} onClose={onClose} />
      )}
    </Opening>
  )
}

function useChoice(servers: readonly OrderView[] | undefined) {
  const [keys, set] = useState<ReadonlySet<string>>(new Set())
  const orders = servers?.filter(({ id }) => keys.has(id)) ?? []
  return {
    orders,
    chosen: new Set(orders.map(({ id }) => id)),
    set,
    keyOf: ({ id }: OrderView) => id,
    nameOf: ({ serverName }: OrderView) => serverName,
  }
}

function Chosen({ choice, shown }: { choice: ReturnType<typeof useChoice>; shown: readonly OrderView[] }) {
  const [act, setAct] = useState<ManyActName | null>(null)
  const { orders, chosen, set, keyOf } = choice
  return (
    <>
      <Heard role="status">{orders.length > 0 && `选中 ${orders.length} 台，可在页面末尾操作`}</Heard>
      {orders.length > 0 && (
        <ChosenBar
          count={orders.length}
          onAct={setAct}
          onAll={() => set(changed(chosen, shown.map(keyOf), true))}
          onNone={() => set(new Set())}
        />
      )}
      {act && (
        <Opening onGiveUp={() => setAct(null)}>
          <ManyAct
            name={act}
            orders={orders}
            onDone={({ id }) => set((old) => changed(old, [id], false))}
            onClose={() => setAct(null)}
          />
        </Opening>
      )}
    </>
  )
}

const countOf = (servers: readonly OrderView[], state: string) =>
  servers.filter((order) => hasState(order, state, new Date())).length

function Totals({ failed, servers }: { failed: boolean; servers: OrderView[] | undefined }) {
  function of(state: string, tone?: 'warning') {
    const value = servers && countOf(servers, state)
    return { value, href: paths.dashboard(state), isFilter: true as const, ...(value && tone ? { tone } : {}) }
  }
  return (
    <SummaryCards
      failed={failed}
      cards={[
        { label: '服务器总数', value: servers?.length },
        { label: states.active, ...of('ACTIVE') },
        { label: states.onHold, ...of('SUSPENDED', 'warning') },
        { label: states.expiringSoon, ...of(endsSoon, 'warning') },
      ]}
    />
  )
}

function Conditions({
  filters,
  servers,
}: {
  filters: ReturnType<typeof useFilters<'q' | 'status' | 'label' | 'group'>>
  servers: OrderView[] | undefined
}) {
  const { q, status, label, group } = filters.values
  const known = labelsOf(servers ?? [])
  return (
    <Toolbar
      search={q}
      onSearch={(q) => filters.set({ q })}
      placeholder="搜索名称、IP、标签或订单号"
      debounceMs={150}
      active={filters.active}
      onReset={filters.reset}
    >
      <StatusFilter
        values={serverStates}
        word={(value) =>
          `${value === endsSoon ? states.expiringSoon : orderStatusNames[value]} ${countOf(servers ?? [], value)}`
        }
        value={status}
        onChange={(status) => filters.set({ status })}
      />
      {known.length > 0 && (
        <>
          <FilterSelect
            label={labels.serverLabels}
            bare
            all="全部标签"
            values={known}
            word={(value) => `${value} ${servers?.filter(({ labels }) => labels.includes(value)).length ?? 0}`}
            value={label}
            onChange={(label) => filters.set({ label })}
          />
          <Switch
            label="按标签分组"
            checked={group !== ''}
            onChange={(event) => filters.set({ group: event.target.checked ? 'label' : '' })}
          />
        </>
      )}
    </Toolbar>
  )
}

function NoServers() {
  return (
    <Empty
      icon={Server}
      title={text.noServers}
      action={
        <ButtonLink tone="primary" href={paths.sales()}>
          {verbs.buyNow}
        </ButtonLink>
      }
    >
      选好配置，付款后约 30 秒即可登录。
    </Empty>
  )
}

const Foot = styled.p`
  margin-top: 8px;
  ${font.xs}
  color: ${color.text3};
`
