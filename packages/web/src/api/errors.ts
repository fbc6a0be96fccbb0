/** A failed call was refused, unanswered, or answered by something else, such as a proxy. */
import * as text from '@vps/shared/text'
import { TRPCClientError } from '@trpc/client'

interface ErrorData {
  code?: string
  httpStatus?: number
  errors?: Record<string, string> | null
}

class ForeignReply extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status} without JSON`)
  }
}

/** Throws where the answer is no JSON. */
export async function fetchJson(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (!response.headers.get('content-type')?.startsWith('application/json')) throw new ForeignReply(response.status)
  return response
}

const dataOf = (error: unknown): ErrorData | null =>
  error instanceof TRPCClientError ? ((error.data as ErrorData | undefined) ?? null) : null

const causeOf = (error: unknown): unknown => (error instanceof TRPCClientError ? error.cause : undefined)

/** Null when no answer came. */
export function statusOf(error: unknown): number | null {
  const cause = causeOf(error)
  return dataOf(error)?.httpStatus ?? (cause instanceof ForeignReply ? cause.status : null)
}

/** A refusal's machine-readable code. */
export const codeOf = (error: unknown): string | null => dataOf(error)?.code ?? null

/** The request's id, for support. */
export function requestIdOf(error: unknown): string | null {
  const response = error instanceof TRPCClientError ? error.meta?.['response'] : undefined
  return response instanceof Response ? response.headers.get('x-request-id') : null
}

/** Field → message of a refused input. */
export const fieldErrorsOf = (error: unknown): Record<string, string> => dataOf(error)?.errors ?? {}

/** `fetch` and a broken answer throw a TypeError in every browser. */
export const isSilence = (error: unknown): boolean => causeOf(error) instanceof TypeError

/** The server's own word: done or refused. */
export const isAnswer = (error: unknown): boolean => ![null, 'IDEMPOTENCY_BUSY'].includes(codeOf(error))

/** It may have been done, or is still being done. */
export const isLost = (error: unknown): boolean => isSilence(error) || codeOf(error) === 'IDEMPOTENCY_BUSY'

/** No answer in time; `lost` where the line broke meanwhile. */
export class Unanswered extends Error {
  constructor(readonly lost: boolean) {
    super('unanswered')
  }
}

/** Something answered that is not ours. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof TRPCClientError && dataOf(error) === null && !isSilence(error)

/** The server's sentence, or that nothing answered; else `fallback`. */
export function messageOf(error: unknown, fallback: string = text.serverError): string {
  if (error instanceof Unanswered) return error.lost ? text.outcomeUnknown : text.timeout
  if (error instanceof Error && dataOf(error)) return error.message || fallback
  return isSilence(error) ? text.networkError : fallback
}

/** What failed, and why if known. */
export function failureOf(what: string, error: unknown): string {
  const reason = messageOf(error, '')
  return reason ? `${what}：${reason}` : what
}
