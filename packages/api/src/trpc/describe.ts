import { type AnyTRPCRouter } from '@trpc/server'
import * as z from 'zod'
import type { Access } from './init.js'

type ProcedureInside = {
  _def: {
    type: 'query' | 'mutation' | 'subscription'
    inputs: unknown[]
    output?: unknown
    meta?: { keyed?: string; kept?: true; access?: Access }
  }
}

type Described = {
  type: ProcedureInside['_def']['type']
  input: z.ZodType | null
  output: z.ZodType
  keyed: string | null
  access: Access | null
}

/** The only place that looks inside tRPC. */
function lookInside(router: AnyTRPCRouter, path: string): ProcedureInside | undefined {
  return Reflect.get(router._def.procedures, path) as ProcedureInside | undefined
}

/** Null where there is none. */
export function procedureType(router: AnyTRPCRouter, path: string): ProcedureInside['_def']['type'] | null {
  return lookInside(router, path)?._def.type ?? null
}

/** Whether it answers everybody alike (`trpc/init.ts`). */
export function isKept(router: AnyTRPCRouter, path: string): boolean {
  return lookInside(router, path)?._def.meta?.kept === true
}

/** Its contract; throws where there is none. */
export function describeProcedure(router: AnyTRPCRouter, path: string): Described {
  const procedure = lookInside(router, path)
  if (!procedure) throw new Error(`no procedure ${path}`)
  const output = procedure._def.output
  if (!(output instanceof z.ZodType)) throw new Error(`${path} does not declare its output`)
  const input = procedure._def.inputs.at(-1)
  const { type, meta } = procedure._def
  return {
    type,
    input: input instanceof z.ZodType ? input : null,
    output,
    keyed: meta?.keyed ?? null,
    access: meta?.access ?? null,
  }
}

export type JsonSchema = {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  description?: string
}

/** Of transforms, the input side. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-7', unrepresentable: 'any' }) as JsonSchema
}
