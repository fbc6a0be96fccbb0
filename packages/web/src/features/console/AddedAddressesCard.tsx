import * as states from '@vps/shared/states'
import * as text from '@vps/shared/text'
import { Plus } from 'lucide-react'
import { upgradeReason } from '../../checkout/upgrade-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { Card } from '../../ui/Card'
import { Chip } from '../../ui/Chip'
import { Mono } from '../../ui/cells'
import { CopyButton } from '../../ui/CopyButton'
import { ReasonButton } from '../../ui/Tip'
import type { OnUpgrade } from './console-parts'
import { About, Acts, KeptList, KeptRules } from './KeptList'
import { useOwn } from './use-own'

/** Opens the upgrade at that row; nothing for staff. */
export function AddAddress({
  server: { order, hostLost },
  onUpgrade,
}: {
  server: ConsoleServer
  onUpgrade: OnUpgrade
}) {
  const { own } = useOwn(order)
  if (!own) return null
  return (
    <ReasonButton
      size="sm"
      icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
      reason={upgradeReason(order) ?? (hostLost ? text.onLostHost : null)}
      onClick={() => onUpgrade('ipCount')}
    >
      增加 IP 地址
    </ReasonButton>
  )
}

/** Whatever its system calls its port. */
const commandFor = (cidr: string) => `ip address add ${cidr} dev "$(ip -o -4 route show default | cut -d' ' -f5)"`

/** What came while the machine ran, and what its owner is to add (decision 0110). */
export function AddedAddressesCard({ added }: { added: ConsoleServer['addedAddresses'] }) {
  return (
    <Card title="附加 IP 地址" note="服务器运行期间增加的地址，网络侧均已放行">
      <KeptList>
        {added.map(({ address, cidr, inGuest }) => (
          <li key={address}>
            <About>
              <b>{address}</b>
              {!inGuest && <Mono>{commandFor(cidr)}</Mono>}
            </About>
            <Chip tone={inGuest ? 'success' : 'warning'}>{inGuest ? states.inForce : '需在系统内添加'}</Chip>
            {!inGuest && (
              <Acts>
                <CopyButton text={commandFor(cidr)} label={`复制添加 ${address} 的命令`} done="命令已复制" />
              </Acts>
            )}
          </li>
        ))}
      </KeptList>
      {added.some(({ inGuest }) => !inGuest) && (
        <KeptRules>
          <li>
            未能自动添加：服务器当时关机，或系统内没有可用的客户机代理。请以 root 身份执行对应的命令，地址立即可用。
          </li>
          <li>要在重启后保留，请把地址写入系统的网络配置；重装系统后会自动包含。</li>
        </KeptRules>
      )}
    </Card>
  )
}
