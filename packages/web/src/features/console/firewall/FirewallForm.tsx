import {
  firewallTemplates,
  mostFirewallRules,
  whoReaches,
  type Firewall,
  type FirewallRule,
} from '@vps/shared/firewall'
import type { FirewallView } from '@vps/shared/firewall.contract'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { Plus } from 'lucide-react'
import { lazy, useRef, useState } from 'react'
import styled from 'styled-components'
import { codeOf, isAnswer } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { watchJob } from '../../../jobs/watched-jobs'
import { heldReason } from '../../../servers/act-reason'
import type { ConsoleServer } from '../../../servers/console-server'
import { actMessage, actPatienceMs } from '../../../servers/server-act'
import { color, font, media, radius } from '../../../theme/tokens'
import { Alert } from '../../../ui/Alert'
import { BeingChecked } from '../../../ui/BeingChecked'
import { Button } from '../../../ui/Button'
import { useFocusBeside } from '../../../ui/focus-beside'
import { Heard } from '../../../ui/heard-only'
import { ReasonButton } from '../../../ui/Tip'
import { toast } from '../../../ui/toast'
import { useSaid } from '../../../ui/use-said'
import { useUnsaved } from '../../../ui/use-unsaved'
import { draftOf, firewallOf, isSame, placeWords, withRow, type Draft, type Row } from './draft'
import { Defaults } from './Defaults'
import { Rules } from './Rules'
import { Opening } from '../../../ui/Opening'

const RuleDialog = lazy(() => import('./RuleDialog'))

const newRule: FirewallRule = {
  direction: 'in',
  protocol: 'tcp',
  ports: null,
  remote: null,
  action: 'accept',
  note: '',
}

/** Changed and sent as a whole: half a change could shut its owner out. */
export function FirewallForm({ server, view }: { server: ConsoleServer; view: FirewallView }) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const [editing, setEditing] = useState<Row | null>(null)
  const shown = draft ?? draftOf(view)
  const firewall = firewallOf(shown)
  const changed = draft !== null && !isSame(firewall, view.firewall)
  // Saved after all, or as before again: what follows begins from what is there. A row's key stays while it is edited.
  if (draft !== null && !changed && editing === null) setDraft(null)
  const { revision } = changed ? shown : view
  const [said, say] = useSaid()
  const change = (part: Partial<Draft>) => setDraft({ ...shown, revision, ...part })
  // Seen in the list, while the focus stays. Without a key, all of them.
  function changeRows(next: Partial<Draft> & { rows: Row[] }, key?: string) {
    change(next)
    const at = next.rows.findIndex((row) => row.key === key)
    const row = next.rows[at]
    say(row ? placeWords(row, at) : `共 ${next.rows.length} 条`)
  }
  const keepLater = (saved: Draft) => setDraft((now) => (now === saved ? null : now))
  function drop() {
    setDraft(null)
    say('')
  }
  const leaving = useUnsaved(changed)
  const refusal = heldReason(server)

  return (
    <Stack>
      <Defaults shown={shown} locked={refusal !== null} onChange={change} />
      <Rules
        rows={shown.rows}
        locked={refusal}
        onChange={(rows, moved) => changeRows({ rows }, moved)}
        onEdit={(row) => setEditing(row)}
      />
      <Make
        refusal={refusal}
        isFull={shown.rows.length >= mostFirewallRules}
        onAdd={() => setEditing({ key: `new-${Date.now()}`, rule: newRule })}
        onTake={(made) => changeRows(draftOf({ firewall: made(view.sshPort), revision }))}
      />
      <Heard role="status">
        {said}
        {said && changed && '，尚未保存'}
      </Heard>
      {changed && <Reached firewall={firewall} port={view.sshPort} />}
      {changed && draft && <Save {...{ server, view, draft, refusal }} onSaved={keepLater} onDrop={drop} />}
      <Order>从上到下逐条比较，先符合的规则生效，都不符合时按默认处理。已建立的连接、ARP 与邻居发现始终放行。</Order>
      {leaving}
      {editing && (
        <Opening onGiveUp={() => setEditing(null)}>
          <RuleDialog
            rule={editing.rule}
            isNew={!shown.rows.some(({ key }) => key === editing.key)}
            onClose={() => setEditing(null)}
            onDone={(rule) => {
              changeRows({ rows: withRow(shown.rows, { key: editing.key, rule }) }, editing.key)
              setEditing(null)
            }}
          />
        </Opening>
      )}
    </Stack>
  )
}

interface MakeProps {
  refusal: string | null
  isFull: boolean
  onAdd: () => void
  onTake: (made: (typeof firewallTemplates)[number]['made']) => void
}

function Make({ refusal, isFull, onAdd, onTake }: MakeProps) {
  return (
    <Makers>
      <ReasonButton
        size="sm"
        icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
        reason={refusal ?? (isFull ? text.firewallFull(mostFirewallRules) : null)}
        onClick={onAdd}
      >
        {verbs.addRule}
      </ReasonButton>
      <span>套用模板</span>
      {firewallTemplates.map(({ name, made }) => (
        <ReasonButton key={name} size="sm" tone="quiet" reason={refusal} onClick={() => onTake(made)}>
          {name}
        </ReasonButton>
      ))}
    </Makers>
  )
}

/** The owner, too, comes in by this port. */
function Reached({ firewall, port }: { firewall: Firewall; port: number }) {
  const who = whoReaches(firewall, port)
  if (who === 'all') return null
  return (
    <Alert tone="warning">
      {who === 'none'
        ? `保存后 SSH 端口 ${port} 对所有人关闭，新的登录只能通过“远程连接”。`
        : `保存后 SSH 端口 ${port} 只对部分地址开放，请确认其中有您自己的地址。`}
    </Alert>
  )
}

interface SaveProps {
  server: ConsoleServer
  view: FirewallView
  draft: Draft
  refusal: string | null
  onSaved: (saved: Draft) => void
  onDrop: () => void
}

function Save({ server, view, draft, refusal, onSaved, onDrop }: SaveProps) {
  // Its buttons go with the changes.
  useFocusBeside()
  const utils = trpc.useUtils()
  const save = trpc.firewall.save.useMutation()
  const [saveOnce] = useKeyed(save.mutateAsync, actPatienceMs)
  // Until it was read again, nobody knows the revision that the next save is made from.
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  // Saved from here, if perhaps; found in force, it was no change of somebody else's.
  const own = useRef<Firewall | null>(null)
  const isStale = failure !== null && codeOf(failure) === 'CONFLICT'

  async function submit() {
    setFailure(null)
    setBusy(true)
    const firewall = firewallOf(draft)
    try {
      const isOwn = own.current !== null && isSame(own.current, view.firewall)
      const { revision } = isOwn ? view : draft
      const { jobId } = await saveOnce({ serverId: server.id, revision, firewall })
      own.current = firewall
      watchJob(jobId)
      toast(text.submitted, 'success')
      void utils.console.invalidate()
      await utils.firewall.invalidate()
      onSaved(draft)
    } catch (error) {
      own.current = isAnswer(error) ? null : firewall
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  async function reread() {
    await utils.firewall.invalidate()
    onDrop()
  }

  return (
    <Bottom>
      {failure !== null && (
        <Alert tone="error" action={isStale && <Button onClick={() => void reread()}>载入新规则</Button>}>
          {isStale ? '规则已在别处被修改，请载入后重新编辑。' : actMessage(failure)}
        </Alert>
      )}
      <BeingChecked />
      <b>有未保存的规则</b>
      <Button onClick={onDrop}>放弃修改</Button>
      <ReasonButton tone="primary" busy={busy} reason={refusal} onClick={() => void submit()}>
        保存并应用
      </ReasonButton>
    </Bottom>
  )
}

const Stack = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
`

const Makers = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px;

  span {
    margin-left: 8px;
    ${font.xs}
    color: ${color.text3};
  }

  ${media.phone} {
    span {
      flex-basis: 100%;
      margin-left: 0;
    }
  }
`

const Bottom = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px;
  padding: 12px;
  border: 1px solid ${color.line};
  border-radius: ${radius.control};
  background: ${color.sunken};

  > [role='alert'],
  > [role='status'] {
    flex-basis: 100%;
  }

  b {
    margin-right: auto;
  }
`

const Order = styled.p`
  ${font.xs}
  color: ${color.text3};
`
