import * as verbs from '@vps/shared/verbs'
import { orderCan, suspensionText } from '@vps/shared/orders'
import { graceHours } from '@vps/shared/deadlines'
import * as text from '@vps/shared/text'
import { paths } from '../../paths'
import type { ConsoleServer } from '../../servers/console-server'
import { Alert } from '../../ui/Alert'
import { hasNoSystem } from './console-parts'
import { Button, ButtonLink } from '../../ui/Button'
import { dateTimeText } from '../../ui/Time'
import { useOwn } from './use-own'

interface Props {
  server: ConsoleServer
  onRenew: () => void
}

/** Why nothing can be asked of the machine. */
export default function Held({ server, onRenew }: Props) {
  const { order, hostLost } = server
  // Neither ends nor is renewed there.
  const isKept = hostLost && order.suspendReason !== 'admin'
  return (
    <>
      {hostLost && (
        <Alert tone="error">
          {text.hostBroke}，服务器无法使用。{text.afterHostLoss}
        </Alert>
      )}
      {!hostLost && orderCan.act(order) && hasNoSystem(server) && <Alert tone="error">{text.noSystem}</Alert>}
      {!isKept && !orderCan.act(order) && <Why server={server} onRenew={onRenew} />}
    </>
  )
}

function Why({ server: { order, id: serverId }, onRenew }: Props) {
  const { own, orderHref } = useOwn(order)
  const kept = keptText(order)
  const unpaid = order.status === 'SUSPENDED' && order.suspendReason !== 'admin'
  return (
    <Alert
      tone="warning"
      action={
        unpaid ? (
          <Button tone="primary" onClick={onRenew}>
            {verbs.renew}
          </Button>
        ) : order.status === 'SUSPENDED' ? (
          <ButtonLink href={orderHref}>{verbs.viewOrder}</ButtonLink>
        ) : orderCan.viewProgress(order) ? (
          <ButtonLink href={paths.installProgress(serverId)}>{verbs.viewProgress}</ButtonLink>
        ) : undefined
      }
    >
      {unpaid
        ? `服务器因到期已暂停，${kept}，续费后自动恢复。`
        : order.status === 'SUSPENDED'
          ? `${suspensionText(order)}。${kept}，${own ? '请联系客服' : '由管理员恢复'}。`
          : orderCan.act.reason(order)}
    </Alert>
  )
}

/** At least: a host that was lost meanwhile makes it longer (decision 0127). */
function keptText({ expiresAt }: ConsoleServer['order']): string {
  if (expiresAt === null) return text.keptPastEnd
  const until = new Date(Date.parse(expiresAt) + graceHours * 3_600_000).toISOString()
  return `数据保留至 ${dateTimeText(until)}`
}
