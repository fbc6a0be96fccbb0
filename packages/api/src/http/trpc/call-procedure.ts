import { callTRPCProcedure, type TRPCProcedureType } from '@trpc/server'
import type { Context } from '../../trpc/context.js'
import { appRouter } from './app-router.js'

/** One procedure of ours, as who the context says. */
export function callProcedure(path: string, type: TRPCProcedureType, ctx: Context, input?: unknown): Promise<unknown> {
  const call = { path, type, ctx, getRawInput: async () => input, signal: undefined, batchIndex: 0 }
  return callTRPCProcedure({ router: appRouter, ...call })
}
