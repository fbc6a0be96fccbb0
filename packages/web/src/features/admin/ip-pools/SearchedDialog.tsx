import * as verbs from '@vps/shared/verbs'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { TextField } from '../../../ui/Field'
import type { Paging } from '../../../ui/PagedTable'
import { Fields } from '../parts/fields'

interface SearchedDialogProps {
  title: string
  label: string
  maxLength: number
  typed: string
  onType: (typed: string) => void
  paging: Paging
  onClose: () => void
  children: ReactNode
}

/** A list in a dialog, with a search. */
export function SearchedDialog(props: SearchedDialogProps) {
  const { title, label, maxLength, typed, onType, paging, onClose, children } = props
  return (
    <Dialog title={title} open width={820} onClose={onClose} footer={<Button onClick={onClose}>{verbs.close}</Button>}>
      <Fields>
        <TextField
          label={label}
          type="search"
          maxLength={maxLength}
          value={typed}
          onChange={(event) => {
            onType(event.target.value)
            paging.setPage(0)
          }}
        />
        {children}
      </Fields>
    </Dialog>
  )
}
