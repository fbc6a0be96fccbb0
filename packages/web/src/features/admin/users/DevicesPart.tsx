import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { mostDevices } from '@vps/shared/accounts'
import type { DeviceView } from '@vps/shared/accounts.contract'
import { Laptop } from 'lucide-react'
import { trpc } from '../../../api/trpc'
import { deviceName, onlyNewest } from '../../../ui/device-name'
import { Mono } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { cutPage, PagedTable } from '../../../ui/PagedTable'
import { Empty } from '../../../ui/states'
import { Dim, Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'

/** Last used first. */
export function DevicesPart({ user }: { user: string }) {
  const paging = useFilters([])
  const devices = trpc.users.devices.useQuery({ userId: user })
  return (
    <>
      <PagedTable
        label={labels.signedInDevices}
        columns={columns}
        rowKey={(device) => device.id}
        read={{ ...devices, data: cutPage(devices.data, paging.page, paging.size) }}
        paging={paging}
        failed={text.devicesLoadFailed}
        empty={
          <Empty icon={Laptop} title="没有登录设备">
            客户登录后，所用的设备会显示在这里。
          </Empty>
        }
      />
      {devices.data?.length === mostDevices && <Dim>{onlyNewest}</Dim>}
    </>
  )
}

const columns: Column<DeviceView>[] = [
  { key: 'device', head: labels.device, phone: 'title', cell: (device) => deviceName(device.userAgent) },
  {
    key: 'address',
    head: labels.ipAddress,
    cell: (device) => (device.address ? <Mono>{device.address}</Mono> : <Dim>{labels.unknownAddress}</Dim>),
  },
  { key: 'seen', head: '最近使用', cell: (device) => <Time at={device.lastSeenAt} /> },
  { key: 'created', head: '登录时间', cell: (device) => <Time at={device.createdAt} /> },
]
