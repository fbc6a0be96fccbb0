import { alertAfterMinutes } from '@vps/shared/alerts'
import styled from 'styled-components'
import { messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { color } from '../../../theme/tokens'
import { Switch } from '../../../ui/Switch'
import { toast } from '../../../ui/toast'
import { useSwitched } from '../../../ui/use-switched'

/** Whether who is signed in is mailed of what lasts. */
export function AlertSwitch() {
  const alerts = trpc.alerts.get.useQuery()
  const set = trpc.alerts.set.useMutation()
  const { wanted, change } = useSwitched(async (mailed) => {
    try {
      await set.mutateAsync({ mailed })
    } finally {
      // A lost answer, too.
      await alerts.refetch()
    }
  })

  async function switchTo(mailed: boolean) {
    try {
      const reached = await change(mailed)
      if (reached !== null) toast(reached ? '已打开告警邮件' : '已关闭告警邮件', 'success')
    } catch (error) {
      toast(messageOf(error), 'error')
    }
  }

  return (
    <Line>
      <Switch
        label="告警邮件"
        checked={wanted ?? alerts.data?.mailed ?? false}
        disabled={!alerts.data}
        onChange={(event) => void switchTo(event.target.checked)}
      />
      <span data-fault={Boolean(alerts.data?.fault)}>
        {alerts.isError
          ? messageOf(alerts.error)
          : (alerts.data?.fault ??
            `发现项或宿主机失联持续 ${alertAfterMinutes} 分钟时，发送到 ${alerts.data?.email ?? '您的邮箱'}`)}
      </span>
    </Line>
  )
}

const Line = styled.span`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 12px;

  > span {
    min-width: 0;
    overflow-wrap: anywhere;
  }

  > [data-fault='true'] {
    color: ${color.error.text};
  }
`
