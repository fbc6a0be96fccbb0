import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { labelLength, mostLabels } from '@vps/shared/orders'
import type { OrderView } from '@vps/shared/orders.contract'
import { useState, type SubmitEvent } from 'react'
import styled from 'styled-components'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { color, font } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { TextField } from '../../ui/Field'
import { SaveButtons } from '../../ui/SaveButtons'
import { toast } from '../../ui/toast'
import { useOpen } from '../../ui/use-open'
import { labelsFault, labelsTyped } from './server-list'

/** Typed, or taken from other servers. */
export default function LabelsDialog({
  order,
  known,
  onClose,
}: {
  order: OrderView
  known: readonly string[]
  onClose: () => void
}) {
  const utils = trpc.useUtils()
  const isOpen = useOpen()
  const set = trpc.orders.setLabels.useMutation({ onSuccess: () => utils.orders.invalidate() })
  const [typed, setTyped] = useState(order.labels.join(' '))
  const chosen = labelsTyped(typed)
  const fault = labelsFault(chosen)

  async function save(event: SubmitEvent) {
    event.preventDefault()
    try {
      await set.mutateAsync({ id: order.id, labels: chosen })
      toast('标签已保存', 'success')
      if (isOpen()) onClose()
    } catch (error) {
      if (!isOpen()) toast(messageOf(error), 'error')
    }
  }

  const toggle = (label: string) =>
    setTyped((chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label]).join(' '))

  return (
    <Dialog
      title={`${labels.serverLabels} · ${order.serverName}`}
      open
      sticky
      onClose={onClose}
      footer={<SaveButtons form="server-labels" disabled={fault !== null} busy={set.isPending} onCancel={onClose} />}
    >
      <Form id="server-labels" onSubmit={(event) => void save(event)}>
        <TextField
          label={labels.serverLabels}
          help={`用空格或逗号分隔，${text.tooManyLabels}，每个${text.tooLong(labelLength)}`}
          value={typed}
          maxLength={(labelLength + 1) * mostLabels * 2}
          error={fault ?? undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        {known.length > 0 && (
          <div role="group" aria-label="已有标签">
            {known.map((label) => (
              <Button
                key={label}
                size="sm"
                aria-pressed={chosen.includes(label)}
                tone={chosen.includes(label) ? 'primary' : 'plain'}
                onClick={() => toggle(label)}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
        {set.isError && <Alert tone="error">{messageOf(set.error)}</Alert>}
      </Form>
    </Dialog>
  )
}

const Form = styled.form`
  display: grid;
  gap: 12px;

  > div[role='group'] {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    ${font.xs}
    color: ${color.text2};
  }
`
