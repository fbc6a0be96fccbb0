import { expect, test } from 'vitest'
import { startApp } from '../../testing/app.js'
import { appRouter } from './app-router.js'
import { createCallerFactory } from './init.js'
import type { Context } from './context.js'
import { TRPCError } from '@trpc/server'

/** Who may call what: written out, so that a right that changes shows in review. */
test('every procedure has the audience that the snapshot says', async () => {
  const app = await startApp()
  const visitor: Context = {
    deps: app.deps,
    db: app.db,
    now: app.deps.now,
    user: null,
    address: '',
    userAgent: null,
    setSessionCookie() {},
  }
  const customer: Context = {
    ...visitor,
    user: { id: '01900000-0000-7000-8000-000000000000', username: 'x', role: 'USER', sessionId: 'x' },
  }
  const call = async (context: Context, path: string): Promise<string> => {
    let at: unknown = createCallerFactory(appRouter)(context)
    for (const part of path.split('.')) at = (at as Record<string, unknown>)[part]
    try {
      await (at as (input: unknown) => Promise<unknown>)({ nonsense: true })
      return 'OK'
    } catch (error) {
      return error instanceof TRPCError ? error.code : String(error)
    }
  }
  const lines: string[] = []
  for (const path of Object.keys(appRouter._def.procedures).toSorted()) {
    const asVisitor = await call(visitor, path)
    const asCustomer = await call(customer, path)
    const audience = asVisitor !== 'UNAUTHORIZED' ? 'public' : asCustomer === 'FORBIDDEN' ? 'admin' : 'signed in'
    lines.push(`${path}: ${audience}`)
  }
  await app.close()
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('access.snapshot.txt')
})
