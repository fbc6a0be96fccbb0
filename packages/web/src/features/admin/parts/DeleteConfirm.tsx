import { useQueryClient } from '@tanstack/react-query'
import * as verbs from '@vps/shared/verbs'
import { useState, type ReactNode } from 'react'
import { messageOf } from '../../../api/errors'
import { Confirm } from '../../../ui/Confirm'
import { toast } from '../../../ui/toast'
import { TypedName } from './TypedName'

/** What was deleted is in no list that is kept, either. `typed`: its name must be typed first. */
export function DeleteConfirm({
  what,
  typed,
  blocked = false,
  failed,
  run,
  onClose,
  children,
}: {
  what: string
  typed?: string
  /** Something is in the way. */
  blocked?: boolean
  failed: string
  run: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const queryClient = useQueryClient()
  const [written, setWritten] = useState('')
  return (
    <Confirm
      open
      danger
      width={520}
      title={`删除${what}`}
      confirmLabel={verbs.confirmRemove}
      ready={!blocked && (typed === undefined || written.trim() === typed)}
      messageOf={(error) => messageOf(error, failed)}
      onClose={onClose}
      onConfirm={async () => {
        await run()
        // Else one under other conditions shows it until that is read, and then moves its rows under the hand.
        queryClient.removeQueries({ type: 'inactive', predicate: ({ state }) => state.isInvalidated })
        toast(`${what}已删除`, 'success')
      }}
    >
      {children}
      {typed !== undefined && <TypedName name={typed} typed={written} onType={setWritten} />}
    </Confirm>
  )
}
