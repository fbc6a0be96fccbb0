import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import styled from 'styled-components'
import { navigate } from 'wouter/use-browser-location'
import { trpc } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { paths } from '../paths'
import { color } from '../theme/tokens'
import { Alert } from '../ui/Alert'
import { Confirm } from '../ui/Confirm'
import { TextField } from '../ui/Field'
import { isTyped } from './is-typed'
import { toast } from '../ui/toast'
import { useOpen } from '../ui/use-open'
import { typedPort } from './machine-access'
import { actMessage, actPatienceMs } from './server-act'
import { useChoicesAnew } from '../api/use-choices-anew'
import { watchJob } from '../jobs/watched-jobs'
import type { ReinstallDraft, ReinstallTarget } from './reinstall'

/** Wants the server's name typed out. */
export function ReinstallConfirm({
  target,
  draft,
  onClose,
}: {
  target: ReinstallTarget
  draft: ReinstallDraft & { osName: string; osVersion: string }
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const isOpen = useOpen()
  const utils = trpc.useUtils()
  const snapshots = trpc.snapshots.list.useQuery({ serverId: target.serverId })
  const reinstall = trpc.console.reinstall.useMutation({ onError: useChoicesAnew() })
  const [reinstallOnce] = useKeyed(reinstall.mutateAsync, actPatienceMs)

  return (
    <Confirm
      open
      danger
      width={520}
      title={verbs.reinstall}
      confirmLabel="确认重装系统"
      ready={isTyped(typed, target.serverName)}
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => {
        const { jobId } = await reinstallOnce({
          id: target.serverId,
          osName: draft.osName,
          osVersion: draft.osVersion,
          rootPassword: draft.rootPassword,
          sshPort: typedPort(draft.sshPort),
          sshKeyIds: draft.sshKeyIds,
        })
        watchJob(jobId)
        toast(text.reinstallSubmitted, 'success')
        void utils.console.invalidate()
        void utils.orders.invalidate()
        if (isOpen()) navigate(paths.installProgress(target.serverId))
      }}
    >
      <p>{text.confirmOperation}</p>
      <Alert tone="warning">
        当前系统的数据将被清空，并安装{' '}
        <b>
          {draft.osName} {draft.osVersion}
        </b>
        。
      </Alert>
      <Lists>
        <div>
          <b>将会丢失</b>
          <ul>
            <li>磁盘上的全部文件和数据库</li>
            <li>已安装的软件和配置</li>
            <li>{labels.currentPassword}</li>
            {Boolean(snapshots.data?.length) && <li>{text.allSnapshots(snapshots.data?.length ?? 0)}</li>}
          </ul>
        </div>
        <div>
          <b>不受影响</b>
          <ul>
            <li>
              {labels.ipAddress}
              {target.ipAddress && ` ${target.ipAddress}`}
            </li>
            <li>到期时间和账户余额</li>
          </ul>
        </div>
      </Lists>
      <TextField
        label={text.typeServerName(target.serverName)}
        {...byLetter}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Confirm>
  )
}

const byLetter = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

const Lists = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;

  li {
    color: ${color.text2};
  }

  li::before {
    content: '· ' / '';
  }
`
