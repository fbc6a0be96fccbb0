import { firewallStateNames, type FirewallState } from '@vps/shared/firewall'
import * as labels from '@vps/shared/labels'
import { trpc } from '../../../api/trpc'
import type { ConsoleServer } from '../../../servers/console-server'
import { Card } from '../../../ui/Card'
import { Chip, type ChipTone } from '../../../ui/Chip'
import { Bar, Failed } from '../../../ui/states'
import { Alert } from '../../../ui/Alert'
import { FirewallForm } from './FirewallForm'

const tones: Record<FirewallState, ChipTone> = {
  OFF: 'neutral',
  APPLIED: 'success',
  APPLYING: 'info',
  HOST_AWAY: 'warning',
  FAILED: 'error',
}

/** What the machine may receive and send (decision 0102). */
export function FirewallCard({ server }: { server: ConsoleServer }) {
  const firewall = trpc.firewall.get.useQuery({ serverId: server.id })
  const { data } = firewall
  return (
    <Card
      title={labels.firewall}
      note="由宿主机在服务器之外执行，系统内无需设置"
      actions={
        data && (
          <Chip tone={tones[data.state]} busy={data.state === 'APPLYING'}>
            {firewallStateNames[data.state]}
          </Chip>
        )
      }
    >
      {firewall.isError && !data ? (
        <Failed title="加载防火墙失败" error={firewall.error} onRetry={() => void firewall.refetch()} />
      ) : !data ? (
        <Bar $height={96} />
      ) : (
        <>
          {data.state === 'FAILED' && (
            <Alert tone="error">规则未能应用，仍是之前的规则。请重新保存，或联系客服。</Alert>
          )}
          <FirewallForm server={server} view={data} />
        </>
      )}
    </Card>
  )
}
