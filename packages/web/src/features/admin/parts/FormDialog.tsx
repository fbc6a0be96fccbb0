import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { errorTable } from '@vps/shared/errors'
import { useId, useState, type ReactNode } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { codeOf, fieldErrorsOf, isAnswer, messageOf } from '../../../api/errors'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { Refusal } from '../../../ui/Refusal'
import { toast } from '../../../ui/toast'
import { useOpen } from '../../../ui/use-open'
import type { Compared } from './compared'
import { Conflict } from './Conflict'
import { Fields } from './fields'

interface FormDialogProps<V extends FieldValues> {
  title: string
  form: UseFormReturn<V>
  save: (values: V) => Promise<unknown>
  saved: string
  failed: string
  /** For a save that another's came before. */
  newer?: { read: () => Promise<V>; fields: Compared<V>[] }
  width?: number
  ready?: boolean
  saveLabel?: string
  onClose: () => void
  children: ReactNode
}

const mayBeSaved = `${text.sentBefore}可能已经保存，请在列表中查看`

const fieldOf = <V extends FieldValues>(name: string) => name as Path<V>

/** One of a list has none of its own. */
const hasField = (values: object, name: string) => (name.split('.')[0] ?? name) in values && !/\.\d/.test(name)

/** Refused fields say so themselves. */
export function FormDialog<V extends FieldValues>(props: FormDialogProps<V>) {
  const { title, form, save, saved, failed, newer, width = 560, ready = true, saveLabel = verbs.save, onClose } = props
  const [problem, setProblem] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<V | null>(null)
  // Such a save may be what the next one is refused for.
  const [unanswered, setUnanswered] = useState(false)
  const isOpen = useOpen()
  const id = useId()

  const submit = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      await save(values)
    } catch (error) {
      if (!isOpen()) return toast(`${title}：${messageOf(error, failed)}`, 'error')
      if (!isAnswer(error)) setUnanswered(true)
      if (codeOf(error) === 'CONFLICT' && newer) {
        const latest = await newer.read().catch(() => null)
        // The next save is made on the newer version.
        if (latest) form.setValue(fieldOf<V>('version'), latest['version'])
        setTheirs(latest)
        if (!latest) setProblem(messageOf(error, failed))
        return
      }
      const ofName = codeOf(error) === 'NAME_TAKEN' ? { name: errorTable.NAME_TAKEN.message } : {}
      const faults = Object.entries(fieldErrorsOf(error))
      const refused = (faults.length > 0 ? faults : Object.entries(ofName)).filter(([name]) => hasField(values, name))
      for (const [index, [name, message]] of refused.entries())
        form.setError(fieldOf<V>(name), { message }, { shouldFocus: index === 0 })
      const told = [
        refused.length === 0 && messageOf(error, failed),
        unanswered && codeOf(error) === 'NAME_TAKEN' && mayBeSaved,
      ].filter(Boolean)
      if (told.length > 0) setProblem(told.join('。'))
      return
    }
    toast(saved, 'success')
    if (isOpen()) onClose()
  })

  return (
    <Dialog
      title={title}
      open
      sticky
      width={width}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.cancel}</Button>
          <Button
            type="submit"
            form={id}
            tone="primary"
            disabled={!ready}
            busy={form.formState.isSubmitting}
            busyLabel={text.saving}
          >
            {saveLabel}
          </Button>
        </>
      }
    >
      <Fields as="form" id={id} noValidate onSubmit={(event: React.FormEvent) => void submit(event)}>
        {props.children}
        {theirs && newer && (
          <Conflict key={theirs['version']} form={form} theirs={theirs} fields={newer.fields} mayBeMine={unanswered} />
        )}
        {problem && <Refusal>{problem}</Refusal>}
      </Fields>
    </Dialog>
  )
}
