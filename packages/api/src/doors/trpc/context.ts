import type {} from '@fastify/cookie' // setCookie on replies
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSession, touchSession } from '../../accounts/sessions.js'
import type { User } from '../../actor.js'
import type { Db } from '../../db/client.js'
import type { Deps } from '../../deps.js'

export const sessionCookie = 'session'

/** What every procedure gets. */
export type Context = {
  deps: Deps
  db: Db
  now: () => Date
  user: User | null
  /** Where the call came from, behind trusted proxies only. */
  address: string
  userAgent: string | null
  /** Sign-in also sets a cookie that authenticates reads which cannot carry a header; null clears it. */
  setSessionCookie(token: string | null): void
}

/** Context of an HTTP call: the session comes from the bearer token alone, never from the cookie (decisions, "Access"). */
export async function httpContext(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Context> {
  return {
    ...(await contextFor(deps, bearerToken(request.headers.authorization), request.ip)),
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    setSessionCookie(token) {
      const options = {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: deps.config.publicUrl.startsWith('https:'),
      } as const
      if (token === null) void reply.clearCookie(sessionCookie, options)
      else void reply.setCookie(sessionCookie, token, options)
    },
  }
}

/** Context of a socket: the token travels in the connection parameters. */
export async function socketContext(deps: Deps, token: string | null): Promise<Context> {
  return { ...(await contextFor(deps, token, null)), address: '', userAgent: null, setSessionCookie() {} }
}

async function contextFor(deps: Deps, token: string | null, address: string | null) {
  const session = token === null ? null : await findSession(deps.db, token)
  if (session) await touchSession(deps.db, session, deps.now())
  const user: User | null = session && { ...session, address }
  return { deps, db: deps.db, now: deps.now, user }
}

export function bearerToken(authorization: string | undefined): string | null {
  return authorization?.match(/^Bearer (\S+)$/i)?.[1] ?? null
}

/** The context behind `signedIn`. */
export type SignedInContext = Context & { user: User }
