import type {} from '@fastify/cookie' // setCookie on replies
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSession, touchSession } from '../accounts/sessions.js'
import type { User } from '../actor.js'
import type { Config } from '../config.js'
import type { Db } from '../db/client.js'
import type { Deps } from '../deps.js'
import { plainAddress } from '../rate-limits.js'
import type { Context } from '../trpc/context.js'

/** Under https browsers refuse one set by another host or without TLS (RFC 6265bis). */
export const sessionCookie = ({ publicUrl }: Config): string =>
  publicUrl.startsWith('https:') ? '__Host-session' : 'session'

/**
 * The session comes from the bearer token, never the cookie (decisions, "Access"), but for files, whose reader says so.
 * Queries have their own connections, so they keep no act waiting.
 */
export async function httpContext(
  deps: Deps,
  kind: 'query' | 'act',
  request: FastifyRequest,
  reply: FastifyReply,
  token = bearerToken(request.headers.authorization),
): Promise<Context> {
  const db = kind === 'query' ? deps.readDb : deps.db
  const address = plainAddress(request.ip)
  const cookie = sessionCookie(deps.config)
  const setSessionCookie = (token: string | null) => {
    const options = {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: deps.config.publicUrl.startsWith('https:'),
    } as const
    if (token === null) void reply.clearCookie(cookie, options)
    else void reply.setCookie(cookie, token, options)
  }
  return {
    ...contextOf(deps),
    db,
    user: await userOf(db, deps.now(), token, address),
    address,
    userAgent: request.headers['user-agent'] ?? null,
    setSessionCookie,
    renewSessionCookie() {
      if (token !== null && request.cookies[cookie] !== token) setSessionCookie(token)
    },
  }
}

/** Nobody's; over a socket each subscription asks who it is. */
export function namelessContext(deps: Deps, socket: Context['socket'] = null): Context {
  return {
    ...contextOf(deps),
    user: null,
    socket,
    address: '',
    userAgent: null,
    setSessionCookie() {},
    renewSessionCookie() {},
  }
}

const contextOf = (deps: Deps) => ({ deps, db: deps.db, now: deps.now, socket: null })

async function userOf(db: Db, now: Date, token: string | null, address: string): Promise<User | null> {
  const session = token === null ? null : await findSession(db, token)
  if (session) await touchSession(db, session, now)
  return session && { ...session, address }
}

export function bearerToken(authorization: string | undefined): string | null {
  return authorization?.match(/^Bearer (\S+)$/i)?.[1] ?? null
}
