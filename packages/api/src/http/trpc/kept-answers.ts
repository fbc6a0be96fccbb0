import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { readSnapshot, type CatalogueSnapshot } from '../../shop/snapshot.js'
import { isKept } from '../../trpc/describe.js'
import { namelessContext } from '../caller.js'
import { callProcedure } from './call-procedure.js'
import { appRouter } from './app-router.js'

export type KeptAnswer = { text: string; tag: string }
type Form = { name: string; body(output: unknown): unknown }

const kept = new WeakMap<CatalogueSnapshot, Map<string, Promise<KeptAnswer>>>()

/**
 * What a procedure answers all alike (`kept` in its meta), as text, made once per look at the database. Null for
 * others.
 */
export async function keptAnswer(deps: Deps, path: string, form: Form): Promise<KeptAnswer | null> {
  if (!isKept(appRouter, path)) return null
  const snapshot = await readSnapshot(deps)
  const answers = kept.get(snapshot) ?? new Map<string, Promise<KeptAnswer>>()
  kept.set(snapshot, answers)
  const key = `${form.name} ${path}`
  const answer = answers.get(key) ?? write(deps, path, form)
  answers.set(key, answer)
  return answer
}

async function write(deps: Deps, path: string, form: Form): Promise<KeptAnswer> {
  const text = JSON.stringify(form.body(await callProcedure(path, 'query', namelessContext(deps))))
  return { text, tag: createHash('sha1').update(text).digest('base64url') }
}

/** Sends it, or 304 to who has it. The ETag is weak, as a proxy may compress. */
export function sendKept(request: FastifyRequest, reply: FastifyReply, text: string, tags: readonly string[]) {
  const etag = `W/"${tags.join('.')}"`
  const has = request.headers['if-none-match']?.split(',').some((each) => each.trim() === etag)
  void reply.header('cache-control', 'no-cache').header('etag', etag)
  return has ? reply.status(304).send() : reply.header('content-type', 'application/json; charset=utf-8').send(text)
}
