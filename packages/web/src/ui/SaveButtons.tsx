import * as verbs from '@vps/shared/verbs'
import { Button } from './Button'

/** For a form that is sent by its id. */
export function SaveButtons({
  form,
  busy,
  disabled = false,
  onCancel,
}: {
  form: string
  busy: boolean
  disabled?: boolean
  onCancel: () => void
}) {
  return (
    <>
      <Button onClick={onCancel}>{verbs.cancel}</Button>
      <Button tone="primary" type="submit" form={form} disabled={disabled} busy={busy}>
        {verbs.save}
      </Button>
    </>
  )
}
