import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { errorTable } from '@vps/shared/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { errorBody, Refusal } from '../../errors.js'
import { findHostByToken } from '../../fleet/hosts.js'
import { bearerToken } from '../caller.js'

/** The token comes before a large body: an agent may send megabytes, a stranger may not. For a small one its call asks. */
export const agentGate = (deps: Deps, smallBytes: number) => async (request: FastifyRequest, reply: FastifyReply) => {
  if (!request.routeOptions.url?.startsWith('/agent/')) return
  if (Number(request.headers['content-length']) <= smallBytes) return
  const refusal = await refusalOf(deps, request)
  if (!refusal) return
  logStranger(deps, request, refusal)
  const { status, trpc } = errorTable[refusal.code]
  const data = { ...errorBody(refusal), httpStatus: status }
  void reply.header('connection', 'close')
  return reply.status(status).send({ error: { message: refusal.message, code: TRPC_ERROR_CODES_BY_KEY[trpc], data } })
}

async function refusalOf(deps: Deps, { url, headers }: FastifyRequest): Promise<Refusal | null> {
  if (url.split('?')[0] === '/agent/enrol') return new Refusal('BODY_TOO_LARGE')
  const token = bearerToken(headers.authorization)
  const host = token === null ? null : await findHostByToken(deps.db, token)
  return host ? null : new Refusal('UNAUTHENTICATED')
}

export function logStranger({ log }: Deps, { url, ip }: FastifyRequest, { code }: Refusal): void {
  log.warn({ security: code, call: url, address: ip, account: null }, 'refused')
}
