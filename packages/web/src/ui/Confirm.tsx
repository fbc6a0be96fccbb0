import * as verbs from '@vps/shared/verbs'
import { useState, type ReactNode } from 'react'
import * as text from '@vps/shared/text'
import { messageOf as plainMessage, Unanswered } from '../api/errors'
import { Refusal } from './Refusal'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { toast } from './toast'
import { useOpen } from './use-open'
import styled from 'styled-components'

interface ConfirmProps {
  open: boolean
  title: string
  /** 确认 + verb. */
  confirmLabel: string
  children: ReactNode
  danger?: boolean
  width?: number
  /** Confirming waits while false. */
  ready?: boolean
  onConfirm: () => Promise<unknown>
  messageOf?: (error: unknown) => string
  onClose: () => void
}

/** A refusal shows inside, while it is open; focus starts on what is to be typed, else on 取消. */
export function Confirm(props: ConfirmProps) {
  return props.open ? <OpenConfirm {...props} /> : null
}

function OpenConfirm({ title, confirmLabel, children, danger, width = 440, ready = true, ...rest }: ConfirmProps) {
  const { onConfirm, onClose, messageOf = plainMessage } = rest
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const isOpen = useOpen()

  async function confirm() {
    setBusy(true)
    setFailure(null)
    try {
      await onConfirm()
      if (isOpen()) onClose()
    } catch (error) {
      if (!isOpen()) return toast(`${title}：${messageOf(error)}`, 'error')
      setFailure(error)
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      alert
      title={title}
      width={width}
      onClose={onClose}
      footer={
        <>
          {/* A stray Enter must not confirm. */}
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <Button onClick={onClose} autoFocus>
            {verbs.cancel}
          </Button>
          <Button tone={danger ? 'danger' : 'primary'} busy={busy} disabled={!ready} onClick={() => void confirm()}>
            {failure instanceof Unanswered ? text.askAgain : confirmLabel}
          </Button>
        </>
      }
    >
      <Body>
        {children}
        {failure !== null && <Refusal>{messageOf(failure)}</Refusal>}
      </Body>
    </Dialog>
  )
}

const Body = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 12px;
`
