import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { actMessage } from '../../servers/server-act'
import { Switch } from '../../ui/Switch'
import { toast } from '../../ui/toast'
import type { ConsoleServer } from '../../servers/console-server'

/** Against reinstall and release. */
export function ProtectionSwitch({ server }: { server: ConsoleServer }) {
  const utils = trpc.useUtils()
  const protect = trpc.console.protect.useMutation()
  // Until the new state is read, so the switch never jumps back.
  const [asked, setAsked] = useState<boolean | null>(null)

  async function change(wanted: boolean) {
    setAsked(wanted)
    try {
      await protect.mutateAsync({ id: server.id, protected: wanted })
      await utils.console.details.invalidate()
      toast(wanted ? '已开启保护' : '已关闭保护', 'success')
    } catch (error) {
      toast(actMessage(error), 'error')
    }
    setAsked(null)
  }

  return (
    <Switch
      label="保护（禁止重装和释放）"
      checked={asked ?? server.protected}
      disabled={!server.known}
      onChange={(event) => void change(event.target.checked)}
    />
  )
}
