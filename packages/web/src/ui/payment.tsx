import { paymentStatusNames, type PaymentStatus } from '@vps/shared/payments'
import { Chip, type ChipTone } from './Chip'

const tones: Record<PaymentStatus, ChipTone> = {
  PENDING: 'warning',
  SUCCESS: 'success',
  FAILED: 'error',
  CANCELLED: 'neutral',
}

/** What became of a payment. */
export function PaymentChip({ status }: { status: PaymentStatus }) {
  return <Chip tone={tones[status]}>{paymentStatusNames[status]}</Chip>
}
