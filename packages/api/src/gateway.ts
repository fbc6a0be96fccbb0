import type { Fen } from '@vps/shared/money'

/** What a payment gateway is asked and what it tells, in our names and in fen. The seam that epay implements. */
export type Gateway = {
  /** Asks for a payment page. The same input may be asked again after `unknown`. */
  create(request: PaymentRequest): Promise<Created>
  /**
   * Asks what became of a payment. Give `tradeNo` where a notify named one, so that both numbers are proven together.
   */
  query(payment: { outTradeNo: string; tradeNo?: string | undefined }, limits?: { timeoutMs: number }): Promise<Queried>
  /**
   * Reads a notify: the query string of a GET or the body of a POST, exactly as it arrived.
   * A valid notice proves who signed it, not that money came: query before crediting.
   */
  verifyNotify(raw: string): Verified
}

export type PaymentRequest = {
  outTradeNo: string
  /** alipay, wxpay, … as in `@vps/shared/payments`. */
  method: string
  amountFen: Fen
  /** Never a customer's own words: what stands here is signed and shown to third parties. */
  subject: string
  notifyUrl: string
  returnUrl: string
  clientIp: string
  device: string
}

export type Created =
  | { kind: 'created'; tradeNo: string | null; payUrl: string | null; qrCode: string | null }
  /** The gateway understood and said no. `message` may be shown to the customer. */
  | { kind: 'refused'; message: string }
  /** Nobody knows whether the payment exists there: ask by query, or create again with the same values. */
  | { kind: 'unknown'; reason: string }

export type Queried =
  | { kind: 'paid'; tradeNo: string; amountFen: Fen; method: string | null }
  | { kind: 'unpaid'; tradeNo: string | null }
  /** Not found. Gateways forget unpaid orders after a day, so this proves only: not paid so far. */
  | { kind: 'absent'; message: string }
  /** Was paid, and the money has since been given back or frozen there: never credit. */
  | { kind: 'reversed'; tradeNo: string | null }
  | { kind: 'unknown'; reason: string }

export type Notice = { outTradeNo: string; tradeNo: string; method: string; amountFen: Fen }

export type Verified = { kind: 'valid'; notice: Notice } | { kind: 'refused'; reason: string }
