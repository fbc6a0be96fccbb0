import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { Switch } from '../../ui/Switch'
import { toast } from '../../ui/toast'
import type { ConsoleServer } from './server'

/** Guards a server against reinstall and release by its own owner. */
export function ProtectionSwitch({ server }: { server: ConsoleServer }) {
  const utils = trpc.useUtils()
  const protect = trpc.console.protect.useMutation()
  const shown = protect.isPending ? protect.variables.protected : server.protected

  async function change(wanted: boolean) {
    try {
      await protect.mutateAsync({ id: server.id, protected: wanted })
      await utils.console.details.invalidate()
      toast(wanted ? '已开启保护' : '已关闭保护', 'success')
    } catch (error) {
      toast(messageOf(error), 'error')
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
