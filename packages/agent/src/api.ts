import type { AgentRouter } from '@vps/api/agent-router'
import { createTRPCClient, httpLink, type TRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client'
import { fatalAgentCodes } from '@vps/shared/agent'
import { storable } from '@vps/shared/storable'

/** Plain calls over HTTP, typed by the API's own router. */
export type Api = TRPCClient<AgentRouter>

/** A claim waits up to 25 s there. */
const claimLimitMs = 35_000
const callLimitMs = 15_000

/** `token` is read at each call: enrolment brings it later. */
export function connectApi(apiUrl: string, token: () => string | null): Api {
  // One call per request: a batch would make a beat wait for a long poll.
  return createTRPCClient<AgentRouter>({
    links: [
      tellStorable,
      httpLink({
        url: `${apiUrl}/agent`,
        headers: () => {
          const bearer = token()
          return bearer === null ? {} : { authorization: `Bearer ${bearer}` }
        },
        fetch: (input, init) => {
          const limit = AbortSignal.timeout(String(input).includes('claim') ? claimLimitMs : callLimitMs)
          const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
          return fetch(input as string, { ...(init as RequestInit), signal })
        },
      }),
    ],
  })
}

/**
 * Programs' words go into errors, names and details, cut at a length: what no row takes would be refused each time,
 * with all beside it.
 */
const tellStorable: TRPCLink<AgentRouter> =
  () =>
  ({ op, next }) =>
    next({
      ...op,
      input: JSON.parse(JSON.stringify(op.input), (_, value) => (typeof value === 'string' ? storable(value) : value)),
    })

/** A wrong token, too old a protocol: retries cannot mend it. */
export function isFatal(error: unknown): boolean {
  return codeOf(error) !== null
}

/** A fatal refusal's code by the API, or null. */
export function codeOf(error: unknown): string | null {
  const code = toldCode(error)
  if (code === 'UNAUTHORIZED') return 'UNAUTHENTICATED'
  return fatalAgentCodes.find((fatal) => fatal === code) ?? null
}

/** Another agent holds this host: do nothing, ask again. */
export const isTaken = (error: unknown) => toldCode(error) === 'HOST_TAKEN'

/** A refusal that passes without this agent: it asks again. Null: another failure. */
export function passingRefusal(error: unknown): string | null {
  if (isTaken(error)) return 'another agent works for this host; waiting until it is gone'
  if (toldCode(error) !== 'PROTOCOL_TOO_NEW') return null
  return 'the API does not speak this agent’s protocol yet: upgrade the API, or start the agent of its version'
}

function toldCode(error: unknown): unknown {
  const data: unknown = error instanceof TRPCClientError ? error.data : null
  return typeof data === 'object' && data !== null && 'code' in data ? data.code : null
}
