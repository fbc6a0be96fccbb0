import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { useState, type ReactNode } from 'react'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { actPatienceMs } from '../../../servers/server-act'
import { Alert } from '../../../ui/Alert'
import { Confirm } from '../../../ui/Confirm'
import { toast } from '../../../ui/toast'
import { Mono } from '../../../ui/cells'
import { factsText } from '../parts/facts-text'
import { rereadOperations } from '../parts/reread'
import type { Finding } from '../parts/rows'
import type { FindingAct } from './finding-ways'

export const findingActs: Record<FindingAct, { label: string; title: string; submitted: string; danger: boolean }> = {
  clean: { label: '清理', title: '清理宿主机上的残留', submitted: '已提交清理任务', danger: true },
  forceOff: { label: verbs.forceStop, title: verbs.forceStop, submitted: '已提交强制关机任务', danger: true },
  redefine: { label: verbs.redefine, title: '重新定义虚拟机', submitted: '已提交重新定义任务', danger: false },
  applyFirewall: { label: '重新应用', title: '重新应用防火墙规则', submitted: '已提交应用防火墙任务', danger: false },
  credit: { label: '转入余额', title: '重复付款转入余额', submitted: '已转入客户余额', danger: false },
}

/** Says what will happen, and does it. */
export function FindingConfirm({ finding, act, onClose }: { finding: Finding; act: FindingAct; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { label, title, submitted, danger } = findingActs[act]
  const perform = usePerform(act)
  // One whose answer was lost may have ended it.
  const [asked, ask] = useState(false)
  const over = finding.resolvedAt !== null && !asked
  return (
    <Confirm
      open
      danger={danger}
      width={520}
      title={title}
      confirmLabel={`确认${label}`}
      ready={!over}
      onClose={onClose}
      onConfirm={async () => {
        ask(true)
        await perform(finding)
        toast(submitted, 'success')
        await rereadOperations(utils)
      }}
    >
      {over ? (
        <Alert tone="info">这个发现项已处理，或已不再看到，不需要再做什么。</Alert>
      ) : (
        <p>{text.confirmOperation}</p>
      )}
      {explained[act](finding)}
    </Confirm>
  )
}

function usePerform(act: FindingAct): (finding: Finding) => Promise<unknown> {
  const [clean] = useKeyed(trpc.findings.clean.useMutation().mutateAsync)
  const [power] = useKeyed(trpc.console.act.useMutation().mutateAsync, actPatienceMs)
  const [redefine] = useKeyed(trpc.findings.redefine.useMutation().mutateAsync)
  const [applyFirewall] = useKeyed(trpc.findings.applyFirewall.useMutation().mutateAsync)
  const [credit] = useKeyed(trpc.payments.creditExtra.useMutation().mutateAsync)
  return {
    clean: ({ id }: Finding) => clean({ id }),
    forceOff: ({ serverId }: Finding) => power({ serverId: serverId ?? '', action: 'stop', force: true }),
    redefine: ({ id }: Finding) => redefine({ id }),
    applyFirewall: ({ id }: Finding) => applyFirewall({ id }),
    credit: ({ id }: Finding) => credit({ id }),
  }[act]
}

const explained: Record<FindingAct, (finding: Finding) => ReactNode> = {
  clean: ({ hostName, serverName }) => (
    <>
      <p>
        {labels.host} <b>{hostName}</b> 的代理会删除服务器 <b>{serverName}</b>{' '}
        在这台宿主机上残留的虚拟机、磁盘和种子镜像，其中的数据不能恢复。
      </p>
      <p>该服务器在这台宿主机上已没有位置；它在其他宿主机上的虚拟机不受影响。</p>
    </>
  ),
  forceOff: ({ hostName, serverName }) => (
    <p>
      {labels.server} <b>{serverName}</b> 在宿主机 <b>{hostName}</b>{' '}
      上将立即断电，未写入磁盘的数据会丢失。之后可以从控制台启动。
    </p>
  ),
  redefine: ({ hostName, serverName }) => (
    <p>
      {labels.host} <b>{hostName}</b> 的代理会按系统记录的配置重新定义服务器 <b>{serverName}</b>{' '}
      的虚拟机，使用它原有的磁盘，数据不变；订单有效时随即启动。被改动的配置在下次启动后生效。
    </p>
  ),
  applyFirewall: ({ hostName, serverName }) => (
    <p>
      {labels.host} <b>{hostName}</b> 的代理会为服务器 <b>{serverName}</b>{' '}
      重新应用用户最后保存的防火墙规则，立即生效；服务器不会重启。
    </p>
  ),
  credit: ({ ownerName, subject, details }) => (
    <>
      <p>
        {labels.user} <b>{ownerName}</b> 的充值 <Mono>{subject}</Mono> 多付的金额会转入其余额（{factsText(details)}
        ），并记入交易记录。
      </p>
      <p>已在网关原路退款的，请不要转入，只标记为已处理。</p>
    </>
  ),
}
