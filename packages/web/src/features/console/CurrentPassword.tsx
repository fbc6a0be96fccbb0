import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { actMessage } from '../../servers/server-act'
import { Inside, TextField } from '../../ui/Field'
import { toast } from '../../ui/toast'

/** The machine's own. */
export function CurrentPassword({ serverId }: { serverId: string }) {
  const { client } = trpc.useUtils()
  return <HiddenPassword label={labels.currentPassword} read={() => client.console.password.query({ id: serverId })} />
}

/** Read only when asked for: every reading is logged. */
export function HiddenPassword({ label, read }: { label: string; read: () => Promise<{ password: string }> }) {
  const [password, setPassword] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function toggle() {
    if (password !== null) return setPassword(null)
    setBusy(true)
    try {
      // Not cached: a password is forgotten when hidden.
      setPassword((await read()).password)
    } catch (error) {
      toast(actMessage(error), 'error')
    }
    setBusy(false)
  }

  return (
    <TextField
      label={label}
      readOnly
      // As other passwords that are shown: nothing keeps it (`loading/fields.ts`).
      type="text"
      autoComplete="off"
      value={password ?? '************'}
      end={
        <Inside
          type="button"
          aria-disabled={busy}
          aria-label={password === null ? verbs.showPassword : verbs.hidePassword}
          onClick={() => !busy && void toggle()}
        >
          {password === null ? <Eye size={16} strokeWidth={1.75} /> : <EyeOff size={16} strokeWidth={1.75} />}
        </Inside>
      }
    />
  )
}
