import { Unplug } from 'lucide-react'
import { trpc } from '../../api/trpc'
import type { ConsoleServer } from '../../servers/console-server'
import { actMessage } from '../../servers/server-act'
import { Button } from '../../ui/Button'
import { toast } from '../../ui/toast'

const noAnswer = {
  kvm: 'SSH 端口没有响应',
  ssh: '未能登录服务器：没有响应，或密码已在服务器内修改',
} as const

/** Whether the SSH port answers; a dedicated server is logged in to. */
export function TestConnection({ server }: { server: Pick<ConsoleServer, 'id' | 'driver'> }) {
  const utils = trpc.useUtils()
  const test = trpc.console.testConnection.useMutation()

  async function testConnection() {
    try {
      const { sshConnectable, latencyMs } = await test.mutateAsync({ id: server.id })
      if (sshConnectable)
        toast(`SSH 连接正常${latencyMs === null ? '' : `，延迟 ${Math.round(latencyMs)} ms`}`, 'success')
      else toast(noAnswer[server.driver], 'warning')
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
