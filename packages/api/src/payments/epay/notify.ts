import type { Verified } from '../../gateway.js'
import { parseFields } from './fields.js'
import { parseMoney } from './money.js'
import { isSigned } from './sign.js'

const tradeNumber = /^[A-Za-z0-9._|-]{1,64}$/
const onlyInCreate = ['notify_url', 'return_url', 'clientip', 'device', 'method']

/**
 * Order of the checks (`docs/money.md`): form, whose, signature, meaning.
 *
 * Create and notify share one key over unescaped values, so a create's signature verifies as a paid notify if a value
 * smuggles `&trade_status=…` in: hence the two refusals before the signature.
 */
export function readNotify(raw: string, merchant: { pid: string; key: string }): Verified {
  const fields = parseFields(raw)
  if (!fields) return refused('malformed')
  if (fields.get('pid') !== merchant.pid) return refused('another merchant')
  if (onlyInCreate.some((name) => fields.has(name))) return refused('fields of a create')
  if ([...fields.values()].some((value) => /&[A-Za-z0-9_]+=/.test(value))) return refused('a field within a field')
  if (!isSigned(fields, merchant.key)) return refused('signature')
  if (fields.get('trade_status') !== 'TRADE_SUCCESS') return refused('not a success')
  const outTradeNo = fields.get('out_trade_no') ?? ''
  const tradeNo = fields.get('trade_no') ?? ''
  if (!tradeNumber.test(outTradeNo) || !tradeNumber.test(tradeNo)) return refused('numbers')
  const amountFen = parseMoney(fields.get('money') ?? '')
  if (amountFen === null) return refused('money')
  return { kind: 'valid', notice: { outTradeNo, tradeNo, method: fields.get('type') ?? '', amountFen } }
}

function refused(reason: string): Verified {
  return { kind: 'refused', reason }
}
