import * as verbs from '@vps/shared/verbs'
import * as states from '@vps/shared/states'
import { useState, type ReactNode } from 'react'
import styled from 'styled-components'
import { Unanswered } from '../api/errors'
import { color, font } from '../theme/tokens'
import { Alert } from './Alert'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { Spinner } from './Spinner'
import { toast } from './toast'
import { useOpen } from './use-open'

type Outcome = { kind: 'busy' } | { kind: 'done' | 'failed' | 'lost'; words: string }

interface Chosen {
  id: string
  serverName: string
}

interface ManyDialogProps<One extends Chosen> {
  title: string
  confirmLabel: string
  orders: readonly One[]
  /** Null where it can be done. */
  reasonOf: (order: One) => string | null
  detailOf?: (order: One) => ReactNode
  ready?: boolean
  danger?: boolean
  /** Gives the sentence of its success. */
  act: (order: One) => Promise<string>
  messageOf: (error: unknown) => string
  onDone: (order: One) => void
  onClose: () => void
  children: ReactNode
}

/**
 * Does one thing with several, one after another, and tells each result. What got no answer stops the rest: asked
 * again, it goes first, under its key. Closing sends nothing more.
 */
export function ManyDialog<One extends Chosen>(props: ManyDialogProps<One>) {
  const { title, confirmLabel, orders, reasonOf, detailOf, ready = true, onClose, children } = props
  const possible = orders.filter((order) => reasonOf(order) === null)
  const { outcomes, busy, left, started, run } = useRun(props, possible)
  const finished = started && left.length === 0
  return (
    <Dialog
      open
      alert
      title={title}
      width={560}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{started ? verbs.close : verbs.cancel}</Button>
          {!finished && (
            <Button
              tone={props.danger ? 'danger' : 'primary'}
              busy={busy}
              disabled={!ready || possible.length === 0}
              onClick={() => void run()}
            >
              {started && !busy ? `重试剩余 ${left.length} 台` : confirmLabel}
            </Button>
          )}
        </>
      }
    >
      <Body>
        {children}
        <ul aria-label={title}>
          {orders.map((order) => (
            <li key={order.id}>
              <b>{order.serverName}</b>
              <small>{outcomes.get(order.id)?.kind !== 'done' && (reasonOf(order) ?? detailOf?.(order))}</small>
              <Told outcome={outcomes.get(order.id)} left={reasonOf(order) !== null} />
            </li>
          ))}
        </ul>
        {started && !busy && (
          <Alert tone={finished ? 'success' : 'warning'}>
            {possible.length - left.length} 台成功{left.length > 0 && `，${left.length} 台未完成`}。
          </Alert>
        )}
      </Body>
    </Dialog>
  )
}

function useRun<One extends Chosen>({ act, messageOf, onDone }: ManyDialogProps<One>, possible: readonly One[]) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [busy, setBusy] = useState(false)
  const isOpen = useOpen()
  const kindOf = ({ id }: One) => outcomes.get(id)?.kind
  const lost = possible.filter((order) => kindOf(order) === 'lost')
  const left = [...lost, ...possible.filter((order) => kindOf(order) !== 'done' && kindOf(order) !== 'lost')]
  const tell = (order: One, outcome: Outcome) => setOutcomes((old) => new Map(old).set(order.id, outcome))

  async function run() {
    setBusy(true)
    for (const order of left) {
      if (!isOpen()) return
      tell(order, { kind: 'busy' })
      try {
        tell(order, { kind: 'done', words: await act(order) })
        onDone(order)
      } catch (error) {
        const words = messageOf(error)
        if (!isOpen()) return toast(`${order.serverName}：${words}`, 'error')
        const isLost = error instanceof Unanswered
        tell(order, { kind: isLost ? 'lost' : 'failed', words })
        if (isLost) break
      }
    }
    setBusy(false)
  }

  return { outcomes, busy, left, started: outcomes.size > 0, run }
}

function Told({ outcome, left }: { outcome: Outcome | undefined; left: boolean }) {
  if (!outcome) return <span>{left ? '跳过' : ''}</span>
  if (outcome.kind === 'busy')
    return (
      <span>
        <Spinner $size={12} /> {states.processing}
      </span>
    )
  return <span data-kind={outcome.kind}>{outcome.words}</span>
}

const Body = styled.div`
  display: grid;
  gap: 12px;

  ul {
    border: 1px solid ${color.line};
    border-radius: 8px;
  }

  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    gap: 0 12px;
    padding: 8px 12px;
    border-top: 1px solid ${color.line};
    overflow-wrap: anywhere;
  }

  li:first-child {
    border-top: 0;
  }

  li > small {
    grid-row: 2;
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }

  li > :last-child {
    grid-row: 1 / 3;
    grid-column: 2;
    max-width: 220px;
    color: ${color.text3};
  }

  [data-kind='done'] {
    color: ${color.success.text};
  }

  [data-kind='failed'],
  [data-kind='lost'] {
    color: ${color.error.text};
  }
`
