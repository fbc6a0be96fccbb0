import { yuan } from '@vps/shared/money'
import { rechargeMax, rechargeMin } from '@vps/shared/wallet'
import { TextField } from '../ui/Field'

/** How much to recharge. */
export function AmountField({
  value,
  fault,
  help,
  onChange,
}: {
  value: string
  fault: string | null
  help?: string
  onChange: (typed: string) => void
}) {
  return (
    <TextField
      label="充值金额"
      help={help}
      type="number"
      inputMode="decimal"
      step="0.01"
      min={yuan.encode(rechargeMin)}
      max={yuan.encode(rechargeMax)}
      start="¥"
      value={value}
      error={fault ?? undefined}
      onChange={(event) => onChange(event.target.value)}
      // Else who scrolls on turns the amount.
      onWheel={({ currentTarget }) => currentTarget.blur()}
    />
  )
}
