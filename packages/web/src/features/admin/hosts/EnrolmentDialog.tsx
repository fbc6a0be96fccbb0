import * as verbs from '@vps/shared/verbs'
import * as states from '@vps/shared/states'
import type { HostView } from '@vps/shared/hosts.contract'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { Alert } from '../../../ui/Alert'
import { Button } from '../../../ui/Button'
import { Confirm } from '../../../ui/Confirm'
import { copyText } from '../../../ui/copy'
import { Dialog } from '../../../ui/Dialog'
import { toast } from '../../../ui/toast'
import { dateTimeText } from '../../../ui/Time'
import { Command } from '../parts/Command'
import { rereadOperations } from '../parts/reread'
import type { Enrolment } from '../parts/rows'

/** Shown once: only its hash is kept. */
export function EnrolmentDialog({
  enrolment,
  onClose,
}: {
  enrolment: Enrolment & { name: string }
  onClose: () => void
}) {
  return (
    <Dialog
      title={`接入宿主机 ${enrolment.name}`}
      open
      sticky
      width={640}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{states.done}</Button>
          <Button tone="primary" onClick={() => void copyText(enrolment.command, '接入命令已复制')}>
            {verbs.copyCommand}
          </Button>
        </>
      }
    >
      <Steps>
        <p>在宿主机上，以 root 身份在程序目录中运行：</p>
        <Command label="接入命令">{enrolment.command}</Command>
        <Alert tone="warning">
          命令中的令牌只显示这一次，只能使用一次，有效期至 {dateTimeText(enrolment.expiresAt)}。
        </Alert>
        <p>
          长期运行时，把 API_URL 和 ENROLMENT_TOKEN 写入 /etc/vps-agent.env，由 systemd 启动（见 docs/agent.md）。
          代理连接后，宿主机的状态变为“可用”，容量和镜像由它自己报告。
        </p>
      </Steps>
    </Dialog>
  )
}

/** The machine behind a known host may change. */
export function RenewEnrolment({
  host,
  onEnrol,
  onClose,
}: {
  host: HostView
  onEnrol: (enrolment: Enrolment) => void
  onClose: () => void
}) {
  const renew = trpc.hosts.renewEnrolment.useMutation()
  return (
    <Confirm
      open
      title={`重新生成接入命令 · ${host.name}`}
      confirmLabel="确认生成"
      onClose={onClose}
      onConfirm={async () => onEnrol(await renew.mutateAsync({ id: host.id }))}
    >
      <p>之前未使用的接入命令将失效。正在运行的代理立即断开，用新命令接入后恢复；服务器照常运行。</p>
    </Confirm>
  )
}

/** Cuts off whoever holds it. */
export function RevokeToken({ host, onClose }: { host: HostView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const revoke = trpc.hosts.revokeToken.useMutation()
  return (
    <Confirm
      open
      danger
      title={`吊销令牌 · ${host.name}`}
      confirmLabel="确认吊销"
      onClose={onClose}
      onConfirm={async () => {
        await revoke.mutateAsync({ id: host.id })
        toast(`已吊销令牌：${host.name}`, 'success')
        await rereadOperations(utils)
      }}
    >
      <p>代理和未使用的接入命令立即失效，服务器照常运行。重新生成接入命令后可再次接入。</p>
    </Confirm>
  )
}

const Steps = styled.div`
  display: grid;
  gap: 12px;
`
