import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { OrderView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import styled from 'styled-components'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { Facts } from '../ui/Facts'
import { SshWays } from './SshWays'

type Reachable = Pick<OrderView, 'serverName' | 'ipAddress' | 'username' | 'sshPort'>

/** SSH to a server, on each system. */
export function ConnectDialog({ server, onClose }: { server: Reachable; onClose: () => void }) {
  const { ipAddress, username, sshPort } = server
  return (
    <Dialog
      title={`连接 ${server.serverName}`}
      open
      width={520}
      onClose={onClose}
      footer={<Button onClick={onClose}>{verbs.close}</Button>}
    >
      <Stack>
        {ipAddress ? <SshWays username={username} ipAddress={ipAddress} sshPort={sshPort} /> : text.noAddressYet}
        <Facts
          facts={[
            [labels.ipAddress, ipAddress, 'mono'],
            [labels.sshPort, sshPort, 'mono'],
            [labels.username, username, 'mono'],
          ]}
        />
      </Stack>
    </Dialog>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 12px;
`
