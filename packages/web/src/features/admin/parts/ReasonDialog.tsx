import * as labels from '@vps/shared/labels'
import { useState, type ReactNode } from 'react'
import { Confirm } from '../../../ui/Confirm'
import { TextArea } from '../../../ui/Field'
import { toast } from '../../../ui/toast'

/** Asks for a reason before an act. */
export function ReasonDialog({
  title,
  confirmLabel,
  label = labels.reason,
  help,
  maxLength,
  danger,
  done,
  run,
  onClose,
  children,
}: {
  title: string
  confirmLabel: string
  label?: string
  help?: string
  maxLength: number
  danger?: boolean
  done: string
  run: (reason: string) => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const [reason, setReason] = useState('')
  return (
    <Confirm
      open
      title={title}
      width={520}
      danger={danger ?? false}
      confirmLabel={confirmLabel}
      ready={reason.trim() !== ''}
      onClose={onClose}
      onConfirm={async () => {
        await run(reason.trim())
        toast(done, 'success')
      }}
    >
      {children}
      <TextArea
        label={label}
        help={help}
        rows={3}
        maxLength={maxLength}
        required
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Confirm>
  )
}
