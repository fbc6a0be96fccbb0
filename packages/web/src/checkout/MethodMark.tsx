import type { paymentMethods } from '@vps/shared/payments'
import { color } from '../theme/tokens'

type Name = (typeof paymentMethods)[number]['icon']

/** No company's own mark. */
export const methodMarks: Record<Name, { sign: string; tone: 'primary' | 'success' | 'warning' | 'error' | 'info' }> = {
  alipay: { sign: '支', tone: 'info' },
  wxpay: { sign: '微', tone: 'success' },
  qqpay: { sign: 'Q', tone: 'warning' },
  bank: { sign: '银', tone: 'primary' },
  jdpay: { sign: '京', tone: 'error' },
  paypal: { sign: 'P', tone: 'primary' },
  usdt: { sign: '₮', tone: 'success' },
}

/** What a way of paying is known by. */
export function MethodMark({ name }: { name: Name }) {
  const { sign, tone } = methodMarks[name]
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden>
      <rect width="28" height="28" rx="8" fill={color[tone].tint} />
      <text x="14" y="19" textAnchor="middle" fontSize="14" fontWeight="600" fill={color[tone].text}>
        {sign}
      </text>
    </svg>
  )
}
