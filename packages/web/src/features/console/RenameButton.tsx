import * as verbs from '@vps/shared/verbs'
import { Pencil } from 'lucide-react'
import { lazy, useState } from 'react'
import { IconButton } from '../../ui/Button'
import { Opening } from '../../ui/Opening'
import type { ConsoleServer } from '../../servers/console-server'
import { useOwn } from './use-own'

const RenameDialog = lazy(async () => ({ default: (await import('./RenameDialog')).RenameDialog }))

/** Beside the server's name; nothing for staff. */
export function RenameButton({ server }: { server: ConsoleServer }) {
  const { own } = useOwn(server.order)
  const [renaming, setRenaming] = useState(false)
  if (!own) return null
  return (
    <>
      <IconButton size="sm" label={verbs.renameServer} onClick={() => setRenaming(true)}>
        <Pencil size={14} strokeWidth={1.75} />
      </IconButton>
      {renaming && (
        <Opening onGiveUp={() => setRenaming(false)}>
          <RenameDialog server={server} onClose={() => setRenaming(false)} />
        </Opening>
      )}
    </>
  )
}
