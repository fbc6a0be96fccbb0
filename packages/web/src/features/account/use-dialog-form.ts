import { useState, type FormEvent } from 'react'
import { useForm, type DefaultValues, type FieldValues } from 'react-hook-form'
import { useSentBefore } from '../../api/use-sent-before'
import { toast } from '../../ui/toast'
import { useOpen } from '../../ui/use-open'
import { checkedBy } from './checked-by'
import type { Contract } from './faults-by'
import { tellFaults } from './tell-faults'

type DialogForm<V> = {
  contract: Contract
  empty: DefaultValues<V>
  failed: string
  hint?: string
  /** `isOpen`: whether the dialog still is, once it was done. */
  send: (values: V, isOpen: () => boolean) => Promise<unknown>
}

/** A dialog's form. `hint`: what may be so where it was sent before, and nobody answered. */
export function useDialogForm<V extends FieldValues>({ contract, empty, failed, hint = '', send }: DialogForm<V>) {
  const [problem, setProblem] = useState<string | null>(null)
  const isOpen = useOpen()
  const sentenceOf = useSentBefore(hint ? ['STATE_CHANGED', 'WRONG_CODE'] : [], hint)
  const form = useForm<V>({ defaultValues: empty, resolver: checkedBy(contract) })
  const sendChecked = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      await send(values, isOpen)
    } catch (error) {
      const message = sentenceOf(error, failed)
      if (!isOpen()) return toast(message, 'error')
      const wrong = tellFaults(form, error)
      // Said there, it is not said twice.
      if (wrong && message === form.getFieldState(wrong).error?.message) form.setFocus(wrong)
      else setProblem(message)
    }
  })
  const submit = (event: FormEvent) => void sendChecked(event)
  return { form, problem, busy: form.formState.isSubmitting, submit }
}
