import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import type { OrderView } from '@vps/shared/orders.contract'
import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { offeredSystem } from '../../servers/offered-system'
import { reinstallFaults, startReinstall, type ReinstallDraft } from '../../servers/reinstall'
import { ReinstallConfirm } from '../../servers/ReinstallConfirm'
import { ReinstallForm } from '../../servers/ReinstallForm'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Bar, Failed } from '../../ui/states'
import { installWord } from './install-word'

/** A new system for a listed server. */
export default function InstallDialog({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const systems = trpc.shop.osOptions.useQuery()
  const [draft, setDraft] = useState<ReinstallDraft | null>(null)
  const [asking, setAsking] = useState(false)
  const target = { ...order, serverId: order.serverId ?? '' }
  // Made once: the generated password must stay.
  if (!draft && systems.data) setDraft(startReinstall(target, systems.data))
  const shown = draft && systems.data && { ...draft, ...offeredSystem(draft, systems.data) }
  const faultless = shown && Object.keys(reinstallFaults(shown)).length === 0
  const title = installWord(order)

  return (
    <>
      <Dialog
        sticky
        title={`${title} · ${order.serverName}`}
        open
        width={560}
        onClose={onClose}
        footer={
          <>
            <Button onClick={onClose}>{verbs.cancel}</Button>
            <Button tone="primary" disabled={!faultless} onClick={() => setAsking(true)}>
              {title}
            </Button>
          </>
        }
      >
        {systems.isError && !systems.data ? (
          <Failed title={text.systemsLoadFailed} error={systems.error} onRetry={() => void systems.refetch()} />
        ) : !shown || !systems.data ? (
          <Bar $height={200} />
        ) : (
          <ReinstallForm
            draft={shown}
            systems={systems.data}
            onChange={(change) => setDraft({ ...shown, ...change })}
          />
        )}
      </Dialog>
      {asking && draft?.osName && draft.osVersion && (
        <ReinstallConfirm
          target={target}
          draft={{ ...draft, osName: draft.osName, osVersion: draft.osVersion }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
