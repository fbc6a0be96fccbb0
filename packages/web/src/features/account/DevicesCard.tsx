import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { mostDevices } from '@vps/shared/accounts'
import type { DeviceView } from '@vps/shared/accounts.contract'
import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { media } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Tag } from '../../ui/Chip'
import { Confirm } from '../../ui/Confirm'
import { Bar, Failed } from '../../ui/states'
import { dateTimeText } from '../../ui/Time'
import { toast } from '../../ui/toast'
import { RowList } from './RowList'
import { unlessGone } from './unless-gone'
import { deviceName, onlyNewest } from '../../ui/device-name'

/** All but this device can be signed out. */
export function DevicesCard() {
  const utils = trpc.useUtils()
  const devices = trpc.accounts.devices.useQuery()
  // It may be done where no answer came.
  const revoke = trpc.accounts.revokeDevice.useMutation({ onError: () => void utils.accounts.devices.invalidate() })
  const [asking, setAsking] = useState<DeviceView | null>(null)

  return (
    <Card
      title={labels.signedInDevices}
      note={
        devices.data?.length === mostDevices
          ? `${onlyNewest}，修改密码可让其他设备全部退出`
          : '登录令牌永不过期，可随时在这里移除'
      }
    >
      {devices.isError && !devices.data ? (
        <Failed title={text.devicesLoadFailed} error={devices.error} onRetry={() => void devices.refetch()} />
      ) : !devices.data ? (
        <Bar $height={96} />
      ) : (
        <List>
          {devices.data.map((device) => {
            const Icon = /Mobile|Android|iPhone/.test(device.userAgent ?? '') ? Smartphone : Laptop
            return (
              <li key={device.id}>
                <Icon size={20} strokeWidth={1.75} aria-hidden />
                <div>
                  <span>
                    {deviceName(device.userAgent)} {device.current && <Tag $tone="success">当前设备</Tag>}
                  </span>
                  <small>
                    {device.address ?? labels.unknownAddress} · 最近使用 {dateTimeText(device.lastSeenAt)}
                  </small>
                </div>
                {!device.current && (
                  <Button
                    size="sm"
                    aria-label={`移除 ${deviceName(device.userAgent)}（${device.address ?? labels.unknownAddress}）`}
                    onClick={() => setAsking(device)}
                  >
                    移除
                  </Button>
                )}
              </li>
            )
          })}
        </List>
      )}
      <Confirm
        open={asking !== null}
        title="移除登录设备"
        confirmLabel="确认移除"
        onClose={() => setAsking(null)}
        onConfirm={async () => {
          if (asking) await unlessGone(revoke.mutateAsync({ id: asking.id }))
          toast('设备已移除', 'success')
          await utils.accounts.devices.invalidate()
        }}
      >
        <p>
          {deviceName(asking?.userAgent ?? null)}（{asking?.address ?? labels.unknownAddress}
          ）将立即退出登录，需要重新输入密码。
        </p>
      </Confirm>
    </Card>
  )
}

const List = styled(RowList)`
  ${media.phone} {
    li {
      flex-wrap: wrap;
    }
  }
`
