import { keepPreviousData } from '@tanstack/react-query'
import { SearchCheck } from 'lucide-react'
import { useState } from 'react'
import { trpc, type Outputs } from '../../../api/trpc'
import { text } from '@vps/shared/text'
import { Chip, Tag } from '../../../ui/Chip'
import { Confirm } from '../../../ui/Confirm'
import { options, Select } from '../../../ui/Select'
import { Mono, RowActions, TwoLines, type Column } from '../../../ui/Table'
import { ReasonButton } from '../../../ui/Tip'
import { Time } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { Conditions } from '../parts/Conditions'
import { factsText } from '../parts/facts-text'
import { ListPage } from '../parts/ListPage'

type Finding = Outputs['admin']['operations']['findings']['content'][number]

/** What a finding is, and what an operator does about it. */
const kinds: Record<string, { name: string; advice: string }> = {
  'stray-domain': { name: '多余的虚拟机', advice: '宿主机上有一台系统不认识的虚拟机。确认无用后在宿主机上删除它。' },
  'stray-volume': {
    name: '多余的磁盘',
    advice: '宿主机上有一个不属于任何服务器的磁盘文件。确认无用后在宿主机上删除它。',
  },
  'missing-domain': {
    name: '缺失的虚拟机',
    advice: '应当在这台宿主机上的虚拟机不见了。与客户确认后重装系统，或为订单退款。',
  },
  'second-agent': { name: '重复的代理', advice: '另一台机器用同一宿主机的身份连接，已被拒绝。停掉多余的代理。' },
  'shrunk-host': { name: '容量变小', advice: '宿主机报告的容量小于已分配的资源。恢复硬件，或排空宿主机。' },
}

/** 发现项: what inventories saw that no job explains. */
export default function FindingsPage() {
  return (
    <AdminOnly title="发现项" denied={operationsDenied}>
      <Findings />
    </AdminOnly>
  )
}

function Findings() {
  const filters = useFilters(['show'] as const)
  const open = filters.values.show !== 'all'
  const findings = trpc.admin.operations.findings.useQuery(
    { page: filters.page, size: filters.size, open },
    { placeholderData: keepPreviousData, refetchInterval: 15_000 },
  )
  const utils = trpc.useUtils()
  const resolve = trpc.admin.operations.resolveFinding.useMutation()
  const [resolved, setResolved] = useState<Finding | null>(null)
  return (
    <ListPage
      title="发现项"
      what="发现项"
      read={findings}
      filters={filters}
      columns={columnsOf(setResolved)}
      rowKey={(finding) => finding.id}
      empty={{ icon: SearchCheck, title: '一切正常', text: '宿主机上看到的与系统记录一致，没有需要处理的发现项。' }}
      conditions={
        <Conditions active={filters.active} onReset={filters.reset}>
          <Select
            label="显示"
            value={open ? '' : 'all'}
            onChange={(show) => filters.set({ show })}
            options={options([
              ['', '未处理'],
              ['all', '全部'],
            ])}
          />
        </Conditions>
      }
    >
      {resolved && (
        <Confirm
          open
          width={520}
          title="标记为已处理"
          confirmLabel="确认已处理"
          onClose={() => setResolved(null)}
          onConfirm={async () => {
            await resolve.mutateAsync({ id: resolved.id })
            toast('发现项已处理', 'success')
            await utils.admin.operations.invalidate()
          }}
        >
          <p>{text.confirmOperation}</p>
          <p>
            宿主机 <b>{resolved.hostName}</b>：{nameOf(resolved)}
          </p>
          <p>{kinds[resolved.kind]?.advice}</p>
          <p>这里只做标记，不会改变宿主机；下次盘点仍看到它时，会成为新的发现项。</p>
        </Confirm>
      )}
    </ListPage>
  )
}

const nameOf = ({ kind }: Finding) => kinds[kind]?.name ?? kind

function columnsOf(resolve: (finding: Finding) => void): Column<Finding>[] {
  return [
    {
      key: 'kind',
      head: '发现',
      phone: 'title',
      cell: (finding) => (
        <TwoLines>
          <span>{nameOf(finding)}</span>
          <small>{finding.hostName}</small>
        </TwoLines>
      ),
    },
    { key: 'subject', head: '对象', cell: (finding) => <Mono>{finding.subject}</Mono> },
    { key: 'details', head: '详情', cell: (finding) => factsText(finding.details) },
    { key: 'first', head: '首次发现', cell: (finding) => <Time at={finding.firstSeenAt} /> },
    { key: 'last', head: '最近发现', cell: (finding) => <Time at={finding.lastSeenAt} /> },
    {
      key: 'status',
      head: '状态',
      phone: 'chip',
      cell: (finding) => (finding.resolvedAt ? <Tag $tone="neutral">已处理</Tag> : <Chip tone="warning">未处理</Chip>),
    },
    {
      key: 'actions',
      head: '操作',
      align: 'right',
      phone: 'actions',
      cell: (finding) => (
        <RowActions>
          <ReasonButton
            tone="quiet"
            size="sm"
            reason={finding.resolvedAt ? '已处理' : null}
            onClick={() => resolve(finding)}
          >
            处理
          </ReasonButton>
        </RowActions>
      ),
    },
  ]
}
