import { initTRPC, TRPCError } from '@trpc/server'
import { errorTable, type ErrorCode } from '@vps/shared/errors'
import { errorBody, Refusal, toRefusal } from '../errors.js'
import type { Context } from './context.js'

/** Of a living session, or of an administrator. */
export type Access = 'user' | 'admin'

type Meta = {
  keyed?: string
  /** Who may call it; everybody without. */
  access?: Access
  /** Takes nothing; answers all alike from the shop's snapshot. */
  kept?: true
}

export const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false, // never a stack in a reply
    errorFormatter({ shape, error }) {
      return { ...shape, message: refusalOf(error).message, data: { ...shape.data, ...errorBody(refusalOf(error)) } }
    },
  })

/** A bug becomes INTERNAL; its text stays in the log. */
export function refusalOf(error: TRPCError): Refusal {
  if (error.cause instanceof Refusal) return error.cause
  const away = error.cause ? toRefusal(error.cause) : null
  return away?.code === 'UNAVAILABLE' ? away : new Refusal(plainCodes[error.code] ?? 'INTERNAL')
}

/** A database that was away before the procedure began, as for who asks; what it refuses itself comes as this. */
export function asUnserved(error: TRPCError): TRPCError {
  const refusal = refusalOf(error)
  if (refusal.code !== 'UNAVAILABLE' || error.cause === refusal) return error
  return new TRPCError({ code: errorTable[refusal.code].trpc, message: refusal.message, cause: refusal })
}

const plainCodes: Partial<Record<TRPCError['code'], ErrorCode>> = {
  BAD_REQUEST: 'INVALID_INPUT',
  PARSE_ERROR: 'INVALID_INPUT',
  METHOD_NOT_SUPPORTED: 'NO_SUCH_PATH',
  NOT_FOUND: 'NO_SUCH_PATH',
  PAYLOAD_TOO_LARGE: 'BODY_TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'INVALID_INPUT',
}

export const router = t.router
export const createCallerFactory = t.createCallerFactory
