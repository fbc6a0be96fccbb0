import * as verbs from '@vps/shared/verbs'
import { Pencil } from 'lucide-react'
import { lazy, useState } from 'react'
import { IconButton } from '../../ui/Button'
import { Opening } from '../../ui/Opening'
import type { ConsoleServer } from '../../servers/console-server'

const RenameDialog = lazy(async () => ({ default: (await import('./RenameDialog')).RenameDialog }))

/** Beside the server's name. */
export function RenameButton({ server }: { server: ConsoleServer }) {
  const [renaming, setRenaming] = useState(false)
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
