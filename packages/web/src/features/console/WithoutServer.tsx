import * as text from '@vps/shared/text'
import { CreditCard } from 'lucide-react'
import { Button } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Empty, Failed } from '../../ui/states'
import type { useConsole } from './use-console'

/** Rare, so it comes when it is needed. */
export default function WithoutServer({
  order,
  onPay,
}: {
  order: ReturnType<typeof useConsole>['order']
  onPay: () => void
}) {
  return (
    <Panel>
      {order.data?.status === 'PENDING' ? (
        <Unpaid onPay={onPay} />
      ) : (
        <Failed
          title={text.serverLoadFailed}
          error={order.error}
          reason="该订单没有服务器。"
          hint="请检查服务器ID是否正确。"
          onRetry={() => void order.refetch()}
        />
      )}
    </Panel>
  )
}

/** Nothing was paid, so nothing is wrong. */
function Unpaid({ onPay }: { onPay: () => void }) {
  return (
    <Empty
      icon={CreditCard}
      title="该订单尚未支付"
      action={
        <Button tone="primary" onClick={onPay}>
          去支付
        </Button>
      }
    >
      付款后开始安装服务器，完成后在这里管理。
    </Empty>
  )
}
