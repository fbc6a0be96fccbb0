import * as verbs from '@vps/shared/verbs'
import { errorTable } from '@vps/shared/errors'
import * as text from '@vps/shared/text'
import { HardDriveDownload } from 'lucide-react'
import { useEffect, useState } from 'react'
import styled from 'styled-components'
import { failureOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { offeredSystem } from '../../servers/offered-system'
import { reinstallFaults, startReinstall, type ReinstallDraft } from '../../servers/reinstall'
import { ReinstallConfirm } from '../../servers/ReinstallConfirm'
import { ReinstallForm } from '../../servers/ReinstallForm'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Bar } from '../../ui/states'
import { ReasonButton } from '../../ui/Tip'
import { toast } from '../../ui/toast'
import type { ConsoleServer } from '../../servers/console-server'
import { actReason } from '../../servers/act-reason'
import type { Kept } from './console-parts'

/** A new system on the same server. */
export function ReinstallCard({
  server,
  kept: [draft, setDraft],
}: {
  server: ConsoleServer
  kept: Kept<ReinstallDraft | null>
}) {
  const systems = trpc.shop.osOptions.useQuery()
  const [asking, setAsking] = useState(false)
  const target = { ...server, serverId: server.id }
  useEffect(() => {
    // Made once: the generated password must stay.
    if (!draft && systems.data) setDraft(startReinstall(target, systems.data))
  })
  const shown = draft && systems.data && { ...draft, ...offeredSystem(draft, systems.data) }
  const fault = shown && Object.values(reinstallFaults(shown))[0]

  function ask() {
    if (server.id === '') return toast(text.serverIdMissing, 'error')
    setAsking(true)
  }

  return (
    <Card title="系统重装" note="重装会清空磁盘，IP 地址和到期时间不变">
      {systems.isError && !systems.data ? (
        <Alert tone="error" action={<Button onClick={() => void systems.refetch()}>{verbs.retry}</Button>}>
          {failureOf(text.systemsLoadFailed, systems.error)}
        </Alert>
      ) : !shown || !systems.data ? (
        <Bar $height={120} />
      ) : (
        <Stack>
          <ReinstallForm
            draft={shown}
            systems={systems.data}
            onChange={(change) => setDraft({ ...shown, ...change })}
          />
          <div>
            <ReasonButton
              icon={<HardDriveDownload size={16} strokeWidth={1.75} aria-hidden />}
              reason={
                actReason(server, 'reinstall') ?? (server.protected ? errorTable.PROTECTED.message : null) ?? fault
              }
              onClick={ask}
            >
              {verbs.reinstall}
            </ReasonButton>
          </div>
        </Stack>
      )}
      {asking && draft?.osName && draft.osVersion && (
        <ReinstallConfirm
          target={target}
          draft={{ ...draft, osName: draft.osName, osVersion: draft.osVersion }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 16px;
`
