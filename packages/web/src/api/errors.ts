/** What a failed call tells the screen. */
import { TRPCClientError } from '@trpc/client'

interface ErrorData {
  code?: string
  httpStatus?: number
  errors?: Record<string, string> | null
}

const dataOf = (error: unknown): ErrorData | null =>
  error instanceof TRPCClientError ? ((error.data as ErrorData | undefined) ?? null) : null

/** The HTTP status, or null when no answer came. */
export const statusOf = (error: unknown): number | null => dataOf(error)?.httpStatus ?? null

/** The machine-readable code of a refusal. */
export const codeOf = (error: unknown): string | null => dataOf(error)?.code ?? null

/** The request's id, to be told to support. */
export function requestIdOf(error: unknown): string | null {
  const response = error instanceof TRPCClientError ? error.meta?.['response'] : undefined
  return response instanceof Response ? response.headers.get('x-request-id') : null
}

/** Field → message of a refused input. */
export const fieldErrorsOf = (error: unknown): Record<string, string> => dataOf(error)?.errors ?? {}

/** The server's own sentence; `fallback` where it has none. */
export function messageOf(error: unknown, fallback = '服务器错误，请稍后重试'): string {
  const data = dataOf(error)
  if (data) return (error as Error).message || fallback
  return error instanceof TRPCClientError ? '网络连接错误' : fallback
}
