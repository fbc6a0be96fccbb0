import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { keepPreviousData } from '@tanstack/react-query'
import { StickyNote } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { resolverOf } from '../../../forms/resolver-of'
import { color, font } from '../../../theme/tokens'
import { Panel } from '../../../ui/Card'
import { Pager } from '../../../ui/Pager'
import { Bar, Empty, Failed } from '../../../ui/states'
import { Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { CreateButton } from '../parts/cells'
import { FormArea } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'

/** What staff wrote down. */
export function NotesPart({ user }: { user: string }) {
  const paging = useFilters([])
  const notes = trpc.users.notes.useQuery(
    { userId: user, page: paging.page, size: paging.size },
    { placeholderData: keepPreviousData },
  )
  const [writing, setWriting] = useState(false)
  const write = <CreateButton label={verbs.addNote} onClick={() => setWriting(true)} />
  return (
    <>
      <Panel>
        {notes.isError && !notes.data ? (
          <Failed title="加载备注失败" error={notes.error} onRetry={() => void notes.refetch()} />
        ) : !notes.data ? (
          <Bar $height={120} />
        ) : notes.data.totalElements === 0 ? (
          <Empty icon={StickyNote} title="暂无备注" action={write}>
            只有管理员看得到；写下后不能修改或删除。
          </Empty>
        ) : (
          <>
            {write}
            <List>
              {notes.data.content.map((note) => (
                <li key={note.id}>
                  <p>{note.body}</p>
                  <small>
                    {note.authorName} · <Time at={note.createdAt} />
                  </small>
                </li>
              ))}
            </List>
          </>
        )}
      </Panel>
      {notes.data && notes.data.totalElements > 0 && (
        <Pager
          total={notes.data.totalElements}
          page={paging.page}
          size={paging.size}
          onPage={paging.setPage}
          onSize={paging.setSize}
        />
      )}
      {writing && <NoteDialog user={user} onClose={() => setWriting(false)} />}
    </>
  )
}

function NoteDialog({ user, onClose }: { user: string; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [add] = useKeyed(trpc.users.addNote.useMutation().mutateAsync)
  const form = useForm<{ body: string }>({
    defaultValues: { body: '' },
    resolver: resolverOf(({ body }: { body: string }) =>
      body.trim() === '' ? { body: text.required } : body.trim().length > 2000 ? { body: text.tooLong(2000) } : {},
    ),
  })
  return (
    <FormDialog
      title={verbs.addNote}
      width={520}
      form={form}
      saved="备注已保存"
      failed="保存备注失败"
      save={async ({ body }) => {
        await add({ userId: user, body: body.trim() })
        await utils.users.notes.invalidate()
      }}
      onClose={onClose}
    >
      <FormArea
        control={form.control}
        name="body"
        label={labels.staffNotes}
        required
        rows={6}
        help="只有管理员看得到；写下后不能修改或删除"
      />
    </FormDialog>
  )
}

const List = styled.ul`
  margin-top: 12px;

  li {
    padding: 12px 0;
  }

  li + li {
    border-top: 1px solid ${color.line};
  }

  p {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }
`
