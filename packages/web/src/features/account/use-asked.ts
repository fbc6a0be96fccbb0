import { useState, type FormEvent } from 'react'
import { useForm, type DefaultValues, type FieldValues } from 'react-hook-form'
import { useSentBefore } from '../../api/use-sent-before'
import { toast } from '../../ui/toast'
import { useOpen } from '../../ui/use-open'
import { checkedBy } from './checked-by'
import type { Contract } from './faults-by'
import { tellFaults } from './tell-faults'

type Asked<V> = {
  contract: Contract
  empty: DefaultValues<V>
  failed: string
  hint: string
  send: (values: V) => Promise<void>
}

/** A dialog's form. `hint`: what may be so where it was sent before, and nobody answered. */
export function useAsked<V extends FieldValues>({ contract, empty, failed, hint, send }: Asked<V>) {
  const [problem, setProblem] = useState<string | null>(null)
  const isOpen = useOpen()
  const sentenceOf = useSentBefore(['STATE_CHANGED', 'WRONG_CODE'], hint)
  const form = useForm<V>({ defaultValues: empty, resolver: checkedBy(contract) })
  const sendChecked = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      await send(values)
    } catch (error) {
      const message = sentenceOf(error, failed)
      if (!isOpen()) return toast(message, 'error')
      tellFaults(form, error)
      setProblem(message)
    }
  })
  const submit = (event: FormEvent) => void sendChecked(event)
  return { form, problem, busy: form.formState.isSubmitting, submit }
}
