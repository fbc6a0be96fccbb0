import { trpc } from '../../api/trpc'
import { actMessage } from '../../shell/server-act'
import { Switch } from '../../ui/Switch'
import { toast } from '../../ui/toast'
import type { ConsoleServer } from './server'

/** Guards a server against reinstall and release by its own owner. */
export function ProtectionSwitch({ server }: { server: ConsoleServer }) {
  const utils = trpc.useUtils()
  // Pending until the new state has been read, so the switch never jumps back in between.
  const protect = trpc.console.protect.useMutation({ onSuccess: () => utils.console.details.invalidate() })
  const shown = protect.isPending ? protect.variables.protected : server.protected

  async function change(wanted: boolean) {
    try {
      await protect.mutateAsync({ id: server.id, protected: wanted })
      toast(wanted ? '已开启保护' : '已关闭保护', 'success')
    } catch (error) {
      toast(actMessage(error), 'error')
    }
  }

  return (
    <Switch
      label="保护（禁止重装和释放）"
      checked={shown}
      disabled={!server.known}
      onChange={(event) => void change(event.target.checked)}
    />
  )
}
