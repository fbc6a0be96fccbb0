import { trpc } from '../../api/trpc'
import { actMessage } from '../../servers/server-act'
import { Switch } from '../../ui/Switch'
import { toast } from '../../ui/toast'
import { useSwitched } from '../../ui/use-switched'
import type { ConsoleServer } from '../../servers/console-server'

/** Against reinstall and release. */
export function ProtectionSwitch({ server }: { server: ConsoleServer }) {
  const utils = trpc.useUtils()
  const protect = trpc.console.protect.useMutation()
  const { wanted, change } = useSwitched(async (on) => {
    await protect.mutateAsync({ id: server.id, protected: on })
    await utils.console.details.invalidate()
  })

  async function switchTo(on: boolean) {
    try {
      const reached = await change(on)
      if (reached !== null) toast(reached ? '已开启保护' : '已关闭保护', 'success')
    } catch (error) {
      toast(actMessage(error), 'error')
    }
  }

  return (
    <Switch
      label="保护（禁止重装和释放）"
      checked={wanted ?? server.protected}
      disabled={!server.known}
      onChange={(event) => void switchTo(event.target.checked)}
    />
  )
}
