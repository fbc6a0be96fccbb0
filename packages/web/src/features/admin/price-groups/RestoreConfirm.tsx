import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { useState } from 'react'
import { codeOf, messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { Confirm } from '../../../ui/Confirm'
import { toast } from '../../../ui/toast'

/** Takes away the discount that it shows, never another's unseen. */
export function RestoreConfirm({ group, onClose }: { group: AdminPriceGroup; onClose: () => void }) {
  const utils = trpc.useUtils()
  const restore = trpc.catalogue.restorePrices.useMutation({ onSuccess: () => utils.catalogue.invalidate() })
  const [seen, setSeen] = useState(group)

  async function showLatest() {
    const latest = await utils.catalogue.priceGroup.fetch({ id: group.id }, { staleTime: 0 }).catch(() => null)
    if (latest) setSeen(latest)
    await utils.catalogue.priceGroups.invalidate()
  }

  return (
    <Confirm
      open
      title={verbs.restorePrices}
      confirmLabel="确认恢复原价"
      ready={seen.hasDiscount}
      messageOf={(error) =>
        codeOf(error) === 'CONFLICT' && seen !== group
          ? '其他管理员刚修改了此价格组，请核对最新的折扣'
          : messageOf(error, '恢复原价失败')
      }
      onClose={onClose}
      onConfirm={async () => {
        try {
          await restore.mutateAsync({ id: seen.id, version: seen.version })
        } catch (error) {
          if (codeOf(error) === 'CONFLICT') await showLatest()
          throw error
        }
        toast('已恢复原价', 'success')
      }}
    >
      <p>
        {labels.priceGroup} <b>{seen.name}</b>{' '}
        {seen.hasDiscount
          ? `的折扣（${seen.discountPercentage}%）将被关闭，之后的订单和续费按原价计算；已支付的订单不受影响。`
          : '现在没有折扣，已按原价计算。'}
      </p>
    </Confirm>
  )
}
