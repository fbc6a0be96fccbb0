import { useChecks } from '../api/until-answered'
import { Alert } from './Alert'
import { Button } from './Button'

/** A lost answer is asked for, and can be given up. */
export function BeingChecked() {
  const { checking, giveUp } = useChecks()
  if (!checking) return null
  return (
    <Alert
      tone="info"
      action={
        <Button size="sm" onClick={giveUp}>
          不再等待
        </Button>
      }
    >
      网络连接错误，正在确认结果…
    </Alert>
  )
}
