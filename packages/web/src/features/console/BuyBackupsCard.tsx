import * as labels from '@vps/shared/labels'
import { DatabaseBackup } from 'lucide-react'
import { trpc } from '../../api/trpc'
import { upgradeReason } from '../../checkout/upgrade-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { Card } from '../../ui/Card'
import { Empty } from '../../ui/states'
import { ReasonButton } from '../../ui/Tip'
import type { OnUpgrade } from './console-parts'
import { useOwn } from './use-own'

/** Where none was bought, what they are for; nothing where the plan sells none. */
export function BuyBackupsCard({ server: { order }, onUpgrade }: { server: ConsoleServer; onUpgrade: OnUpgrade }) {
  const { own } = useOwn(order)
  const plans = trpc.shop.priceGroups.useQuery(undefined, { enabled: own })
  const sells = plans.data?.some(({ id, mostBackups }) => id === order.priceGroupId && mostBackups > 0)
  if (!sells) return null
  return (
    <Card title={labels.backups}>
      <Empty
        icon={DatabaseBackup}
        title="没有购买备份"
        action={
          <ReasonButton reason={upgradeReason(order)} onClick={() => onUpgrade('backups')}>
            购买备份
          </ReasonButton>
        }
      >
        备份保存在宿主机之外，可以定时创建；磁盘损坏或误删数据时用来恢复。
      </Empty>
    </Card>
  )
}
