import type { Fen } from '@vps/shared/money'

/** In our names and in fen; implemented by epay. */
export type Gateway = {
  /** Who is paid there: kept with each recharge. */
  merchant: string
  /** What credits: the query's answer, or a signature alone. */
  confirm: 'query' | 'signature'
  /** Repeatable with the same input after `unknown`. */
  create(request: PaymentRequest): Promise<Created>
  /** With the notify's `tradeNo` both numbers are proven together. */
  query(payment: { outTradeNo: string; tradeNo?: string | undefined }, limits?: { timeoutMs: number }): Promise<Queried>
  /** GET's query string or POST's body as it arrived. Proves the signer, not the money: query before crediting. */
  verifyNotify(raw: string): Verified
}

export type PaymentRequest = {
  outTradeNo: string
  /** As in `@vps/shared/payments`. */
  method: string
  amountFen: Fen
  /** Never a customer's words: third parties see it. */
  subject: string
  notifyUrl: string
  returnUrl: string
  clientIp: string
  device: string
}

export type Created =
  | { kind: 'created'; tradeNo: string | null; payUrl: string | null; qrCode: string | null }
  /** `message` may be shown. */
  | { kind: 'refused'; message: string }
  /** Query, or create again with the same values. */
  | { kind: 'unknown'; reason: string }

export type Queried =
  | { kind: 'paid'; tradeNo: string; amountFen: Fen; method: string | null }
  | { kind: 'unpaid'; tradeNo: string | null }
  /** Unpaid orders are forgotten after a day: proves only "not paid so far". */
  | { kind: 'absent'; message: string }
  /** Was paid, then given back or frozen: never credit. */
  | { kind: 'reversed'; tradeNo: string | null }
  | { kind: 'unknown'; reason: string }

/** Of who asks, not of the payment. */
export const notAcceptedReason = 'merchant or key not accepted'

/** Of the payment: whoever asked was answered, in a way that proves nothing. */
export const unclear = {
  another: 'reply about another payment',
  contradiction: 'two statuses that contradict',
  amount: 'paid without a readable amount',
  status: 'status not known',
} as const

export type Notice = { outTradeNo: string; tradeNo: string; method: string; amountFen: Fen }

export type Verified = { kind: 'valid'; notice: Notice } | { kind: 'refused'; reason: string }
