import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inTx } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import { confirmPayment } from '../../payments/confirm-payment.js'
import type { Notice } from '../../gateway.js'
import { settlePayment } from '../../payments/settle-payment.js'

/** Epay gives up after 5 s; the query must leave time for the rest. */
const queryMs = 2_000

/**
 * The gateway's notify, by GET or POST form: no session, never rate-limited. Answers exactly `success` once committed and
 * `fail` otherwise, both as text with status 200, since stock gateways look for that word anywhere in any reply.
 */
export async function registerEpayNotify(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (door) => {
    // The raw text, parsed by the gateway's own rules: repeated fields must be seen.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16 * 1024 }, (_request, body, done) =>
      done(null, body),
    )
    door.setErrorHandler((error, request, reply) => {
      request.log.error({ err: error }, 'notify failed')
      return reply.status(200).type('text/plain').send('fail')
    })
    door.route({
      method: ['GET', 'POST'],
      url: '/api/payment/notify',
      handler: async (request, reply) => {
        const settled = await takeNotice(deps, rawOf(request))
        return reply.type('text/plain').send(settled ? 'success' : 'fail')
      },
    })
  })
}

function rawOf(request: FastifyRequest): string {
  if (request.method === 'POST' && typeof request.body === 'string' && request.body !== '') return request.body
  return request.raw.url?.split('?').slice(1).join('?') ?? ''
}

/** Whether the notice is settled for good: credited now or before. */
async function takeNotice(deps: Deps, raw: string): Promise<boolean> {
  const verified = deps.gateway?.verifyNotify(raw)
  if (!verified || verified.kind === 'refused') {
    deps.log.warn({ reason: verified?.reason ?? 'no gateway is configured' }, 'notify refused')
    return false
  }
  const { notice } = verified
  if (!(await matches(deps, notice))) return false
  const outcome =
    deps.config.epay?.confirm === 'signature'
      ? await inTx(deps.db, (tx) => settlePayment(tx, notice, deps.now()))
      : await confirmPayment(deps, notice, { timeoutMs: queryMs })
  if (outcome === 'unpaid' || outcome === 'mismatch')
    deps.log.error({ outTradeNo: notice.outTradeNo, outcome }, 'a signed notify was not confirmed')
  return outcome === 'credited' || outcome === 'already' || outcome === 'overpaid'
}

/** Method and amount of the notice are those of the stored attempt. */
async function matches(deps: Deps, notice: Notice): Promise<boolean> {
  const payment = await deps.db
    .selectFrom('payments')
    .select(['money_fen', 'method'])
    .where('out_trade_no', '=', notice.outTradeNo)
    .executeTakeFirst()
  const same = payment !== undefined && payment.money_fen === notice.amountFen && payment.method === notice.method
  if (!same) deps.log.error({ outTradeNo: notice.outTradeNo }, 'a signed notify does not match any payment of ours')
  return same
}
