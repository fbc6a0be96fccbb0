import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import styled from 'styled-components'
import { messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Refusal } from '../../../ui/Refusal'
import { Button, ButtonLink } from '../../../ui/Button'
import { copyText } from '../../../ui/copy'
import { Dialog } from '../../../ui/Dialog'
import { factIf, Facts } from '../../../ui/Facts'
import { Time } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import { useOpen } from '../../../ui/use-open'
import { Command } from '../parts/Command'
import { factsText } from '../parts/facts-text'
import { CustomerLink, ServerLink } from '../parts/links'
import { rereadOperations } from '../parts/reread'
import { FindingConfirm, findingActs } from './finding-acts'
import { HostOf, subjectOf } from './HostOf'
import { findingName } from '@vps/shared/finding-words'
import type { Finding } from '../parts/rows'
import { actOf, adviceOf, commandOf, hostKinds, untilMended, type FindingAct } from './finding-ways'

/** What was found, and ways to mend it. */
export function FindingDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [problem, setProblem] = useState<string | null>(null)
  const [act, setAct] = useState<FindingAct | null>(null)
  const isOpen = useOpen()
  const resolve = trpc.findings.resolve.useMutation({
    onSuccess: async () => {
      toast('发现项已处理', 'success')
      await rereadOperations(utils)
      if (isOpen()) onClose()
    },
    onError: (error) => (isOpen() ? setProblem(messageOf(error)) : toast(messageOf(error), 'error')),
  })
  if (act) return <FindingConfirm finding={finding} act={act} onClose={onClose} />

  const command = commandOf(finding)
  const open = finding.resolvedAt === null
  return (
    <Dialog
      title={findingName(finding)}
      open
      width={640}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.close}</Button>
          {open && (
            <Button busy={resolve.isPending} onClick={() => resolve.mutate({ id: finding.id })}>
              {finding.kind === 'brake' ? '继续' : '标记为已处理'}
            </Button>
          )}
          <Way finding={finding} onAct={setAct} />
        </>
      }
    >
      <Parts>
        <p>{adviceOf(finding)}</p>
        <Facts
          facts={[
            [labels.host, <HostOf key="host" finding={finding} />],
            [labels.subject, subjectOf(finding), 'mono'],
            [
              labels.server,
              finding.serverName && <ServerLink key="server" orderId={finding.orderId} name={finding.serverName} />,
            ],
            ...factIf(
              finding.ownerId && finding.ownerName,
              labels.user,
              <CustomerLink key="user" id={finding.ownerId ?? ''} name={finding.ownerName ?? ''} />,
            ),
            [labels.details, factsText(finding.details)],
            [labels.firstSeen, <Time key="first" at={finding.firstSeenAt} />],
            [labels.lastSeen, <Time key="last" at={finding.lastSeenAt} />],
            ...factIf(finding.resolvedAt, labels.decidedAt, <Time key="resolved" at={finding.resolvedAt} />),
          ]}
        />
        {open && command && (
          <div>
            <p>不是本系统创建的对象，系统不会删除它。确认无用后，在宿主机上执行：</p>
            <Command label="清理命令">{command}</Command>
            <Button size="sm" onClick={() => void copyText(command, '清理命令已复制')}>
              {verbs.copyCommand}
            </Button>
          </div>
        )}
        {open && finding.hostName !== null && !untilMended.has(finding.kind) && (
          <p>标记只改变这里的记录；下次盘点仍看到它时，会成为新的发现项。不再看到时会自动消失。</p>
        )}
        {problem && <Refusal>{problem}</Refusal>}
      </Parts>
    </Dialog>
  )
}

function Way({ finding, onAct }: { finding: Finding; onAct: (act: FindingAct) => void }) {
  if (finding.resolvedAt !== null) return null
  const act = actOf(finding)
  if (act) {
    return (
      <>
        {act === 'redefine' && finding.orderId && (
          <ButtonLink href={paths.console(finding.orderId)}>{verbs.openConsole}</ButtonLink>
        )}
        <Button tone={findingActs[act].danger ? 'danger' : 'primary'} onClick={() => onAct(act)}>
          {findingActs[act].label}
        </Button>
      </>
    )
  }
  if (finding.hostId !== null && hostKinds.has(finding.kind)) {
    return (
      <ButtonLink tone="primary" href={paths.host(finding.hostId)}>
        前往宿主机
      </ButtonLink>
    )
  }
  return null
}

const Parts = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;

  p {
    margin: 0;
  }

  > div {
    display: grid;
    gap: 8px;
  }

  button {
    justify-self: start;
  }
`
