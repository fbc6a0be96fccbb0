import type { Migratable } from '@vps/shared/cold-migrations.contract'
import * as labels from '@vps/shared/labels'
import { goingBack, wasCalledOff } from '@vps/shared/migration-words'
import * as verbs from '@vps/shared/verbs'
import { Truck } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import type { Column } from '../../../ui/column'
import { actionsColumn, orderStatusColumn } from '../../../ui/columns'
import { cutPage, PagedTable } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { ReasonButton } from '../../../ui/Tip'
import { useFilters } from '../../../ui/use-filters'
import { migrations } from './host-parts'
import { CancelMigration, cancelWaiting, CancelWaiting, MigrateMany, MigrateOne } from './MigrateDialogs'
import { MigrationCell } from './MigrationCell'
import { placedColumns } from './placed-columns'

type Many = readonly Migratable[]
type Asked = { one: Migratable } | { cancelled: Migratable } | { many: Many } | { waiting: Many }

/** What leaves a living host with its data, or has come to it so (decision 0131). */
export default function Migrations({ host }: { host: string }) {
  const paging = useFilters([])
  const read = trpc.migrations.list.useQuery({ hostId: host })
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  // Those under way, or arriving, are none that could still be asked to go.
  const here = read.data?.filter((one) => one.isHere && !isOpen(one)) ?? []
  const waiting = read.data?.filter(isWaiting) ?? []
  return (
    <Card
      title={verbs.migrate}
      note={read.data && summaryOf(read.data)}
      actions={
        <>
          {waiting.length > 1 && (
            <Button size="sm" onClick={() => setAsked({ waiting })}>
              {cancelWaiting}
            </Button>
          )}
          {here.length > 1 && (
            <ReasonButton
              size="sm"
              reason={here.some(({ stays }) => stays === null) ? null : here[0]?.stays}
              onClick={() => setAsked({ many: here })}
            >
              {labels.all}
              {migrations}
            </ReasonButton>
          )}
        </>
      }
    >
      <PagedTable
        wide
        label={migrations}
        columns={columnsOf(host, setAsked)}
        rowKey={({ serverId }) => serverId}
        read={{ ...read, data: cutPage(read.data, paging.page, paging.size) }}
        paging={paging}
        failed="加载迁移失败"
        empty={
          <Empty icon={Truck} title="这台宿主机上没有服务器">
            服务器在这里迁移到其他宿主机；正在迁来的也会显示在这里。
          </Empty>
        }
      />
      {asked && 'one' in asked && <MigrateOne server={asked.one} onClose={close} />}
      {asked && 'cancelled' in asked && <CancelMigration server={asked.cancelled} onClose={close} />}
      {asked && 'many' in asked && <MigrateMany servers={asked.many} onClose={close} />}
      {asked && 'waiting' in asked && <CancelWaiting servers={asked.waiting} onClose={close} />}
    </Card>
  )
}

const isOpen = ({ migration }: Migratable) => migration?.endedAt === null
const isWaiting = ({ migration }: Migratable) => migration?.stage === 'WAITING'

function summaryOf(servers: readonly Migratable[]): string {
  const open = servers.filter((one) => isOpen(one) && !isWaiting(one)).length
  const waiting = servers.filter(isWaiting).length
  const failed = servers.filter(({ migration }) => migration?.stage === 'FAILED' && !wasCalledOff(migration)).length
  const counts = [
    open > 0 && `${open} 台正在迁移`,
    waiting > 0 && `${waiting} 台排队`,
    failed > 0 && `${failed} 台迁移未成功`,
  ].filter(Boolean)
  return counts.join('，') || '连同数据和 IP 地址，期间关机'
}

function columnsOf(host: string, ask: (asked: Asked) => void): Column<Migratable>[] {
  return [
    ...placedColumns,
    { key: 'disk', head: labels.disk, align: 'right', cell: ({ diskGb }) => `${diskGb} GB` },
    orderStatusColumn,
    {
      key: 'migration',
      head: migrations,
      cell: ({ migration, stays }) => <MigrationCell host={host} migration={migration} stays={stays} />,
    },
    actionsColumn((server) =>
      isOpen(server) ? (
        <ReasonButton
          tone="quiet"
          size="sm"
          aria-label={`${verbs.cancelMigration} ${server.serverName}`}
          reason={server.migration?.stage === 'RETURNING' ? goingBack : null}
          onClick={() => ask({ cancelled: server })}
        >
          {verbs.cancel}
        </ReasonButton>
      ) : (
        <ReasonButton
          tone="quiet"
          size="sm"
          aria-label={`${migrations} ${server.serverName}`}
          reason={server.stays}
          onClick={() => ask({ one: server })}
        >
          {migrations}
        </ReasonButton>
      ),
    ),
  ]
}
