import * as verbs from '@vps/shared/verbs'
import { useState, type ReactNode } from 'react'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { Confirm } from '../../../ui/Confirm'
import { Bar, Failed } from '../../../ui/states'
import { dateTimeText } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import { Note } from './Note'

interface Service {
  url: string | null
  version: number
  savedAt: string | null
  savedBy: string | null
}

interface Props<V extends Service> {
  title: string
  note: string
  read: { data: V | undefined; isError: boolean; error: unknown; refetch: () => Promise<{ data: V | undefined }> }
  onTest: () => void
  testing: boolean
  editor: (view: V, close: () => void) => ReactNode
  /** What becomes of what is there once it is off. */
  afterwards: string
  onClear: (version: number) => Promise<unknown>
  children: (view: V) => ReactNode
}

/** An outside service: tested, switched off, edited. */
export function ServiceCard<V extends Service>(props: Props<V>) {
  const { title, note, read, onTest, testing, editor, afterwards, onClear, children } = props
  const [asking, setAsking] = useState<'edit' | { seen: number } | null>(null)
  const view = read.data
  const close = () => setAsking(null)
  const named = (verb: string) => ({ size: 'sm' as const, 'aria-label': `${verb}${title}` })
  return (
    <Card
      title={title}
      note={view?.savedAt && `${view.savedBy} 保存于 ${dateTimeText(view.savedAt)}`}
      actions={
        view && (
          <>
            {view.url !== null && (
              <>
                <Button {...named(verbs.test)} busy={testing} onClick={onTest}>
                  {verbs.test}
                </Button>
                <Button {...named(verbs.disable)} onClick={() => setAsking({ seen: view.version })}>
                  {verbs.disable}
                </Button>
              </>
            )}
            <Button {...named(verbs.edit)} onClick={() => setAsking('edit')}>
              {verbs.edit}
            </Button>
          </>
        )
      }
    >
      <Note>{note}</Note>
      {view ? (
        children(view)
      ) : read.isError ? (
        <Failed title={`加载${title}失败`} error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Bar $height={72} />
      )}
      {asking === 'edit' && view && editor(view, close)}
      {asking !== null && asking !== 'edit' && (
        <Confirm
          open
          danger
          title={`${verbs.disable}${title}`}
          confirmLabel={verbs.confirmDisable}
          onClose={close}
          onConfirm={async () => {
            // Not what another operator has saved since.
            const failure = await onClear(asking.seen).then(
              () => null,
              (error: unknown) => ({ error }),
            )
            // One whose answer was lost may have been done: the next would read that the data were changed.
            const { data: latest } = await read.refetch()
            if (failure && latest?.url !== null) throw failure.error
            toast(`${title}已停用`, 'success')
          }}
        >
          <p>{afterwards}</p>
        </Confirm>
      )}
    </Card>
  )
}
