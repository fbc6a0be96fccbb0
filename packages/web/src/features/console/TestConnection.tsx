import { Unplug } from 'lucide-react'
import { trpc } from '../../api/trpc'
import { actMessage } from '../../servers/server-act'
import { Button } from '../../ui/Button'
import { toast } from '../../ui/toast'

/** Whether the SSH port answers. */
export function TestConnection({ serverId }: { serverId: string }) {
  const utils = trpc.useUtils()
  const test = trpc.console.testConnection.useMutation()

  async function testConnection() {
    try {
      const { sshConnectable, latencyMs } = await test.mutateAsync({ id: serverId })
      if (sshConnectable)
        toast(`SSH 连接正常${latencyMs === null ? '' : `，延迟 ${Math.round(latencyMs)} ms`}`, 'success')
      else toast('SSH 端口没有响应', 'warning')
      void utils.console.monitoring.invalidate()
    } catch (error) {
      toast(actMessage(error), 'error')
    }
  }

  return (
    <Button
      size="sm"
      icon={<Unplug size={14} strokeWidth={1.75} aria-hidden />}
      busy={test.isPending}
      onClick={() => void testConnection()}
    >
      测试连接
    </Button>
  )
}
