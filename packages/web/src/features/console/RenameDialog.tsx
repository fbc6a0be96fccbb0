import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { Alert } from '../../ui/Alert'
import { Dialog } from '../../ui/Dialog'
import { TextField } from '../../ui/Field'
import { SaveButtons } from '../../ui/SaveButtons'
import { toast } from '../../ui/toast'
import { useOpen } from '../../ui/use-open'
import type { ConsoleServer } from '../../servers/console-server'

/** Only a name: nothing restarts. */
export function RenameDialog({ server, onClose }: { server: ConsoleServer; onClose: () => void }) {
  const utils = trpc.useUtils()
  const isOpen = useOpen()
  const rename = trpc.orders.renameServer.useMutation({
    onSuccess: () => Promise.all([utils.orders.invalidate(), utils.console.invalidate()]),
    onError: (error) => void (isOpen() || toast(messageOf(error), 'error')),
  })
  const [name, setName] = useState(server.serverName)

  async function save() {
    try {
      await rename.mutateAsync({ id: server.order.id, serverName: name.trim() })
      toast('名称已修改', 'success')
      if (isOpen()) onClose()
    } catch {
      // Shown below.
    }
  }

  return (
    <Dialog
      title={verbs.renameServer}
      open
      sticky
      onClose={onClose}
      footer={
        <SaveButtons form="server-name" disabled={name.trim() === ''} busy={rename.isPending} onCancel={onClose} />
      }
    >
      <form
        id="server-name"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="服务器名称"
          maxLength={100}
          value={name}
          error={name.trim() === '' ? text.required : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
      {rename.isError && <Alert tone="error">{messageOf(rename.error)}</Alert>}
    </Dialog>
  )
}
