import type { LightMyRequestResponse } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { hashOfNobody } from '../accounts/passwords.js'
import { openSession } from '../accounts/sessions.js'
import type { User } from '../actor.js'
import { inTx } from '../db/tx.js'
import { openWallet } from '../wallet/open-wallet.js'
import { postEntry } from '../wallet/post-entry.js'
import { yuan } from '@vps/shared/money'
import type { TestApp } from './app.js'

type Reply = { status: number; body: any; raw: LightMyRequestResponse } // oxlint-disable-line typescript/no-explicit-any -- a test reads what came
type Extra = { key?: string; headers?: Record<string, string> }

export type Person = {
  user: User
  token: string
  get(path: string): Promise<Reply>
  post(path: string, body?: object, extra?: Extra): Promise<Reply>
  put(path: string, body?: object, extra?: Extra): Promise<Reply>
  balance(): Promise<number>
}

/** Acts over REST. */
export async function person(
  test: TestApp,
  username: string,
  options: { yuan?: number; admin?: boolean } = {},
): Promise<Person> {
  const id = uuidv7()
  const now = test.deps.now()
  const password_hash = await hashOfNobody()
  const role = options.admin ? 'ADMIN' : 'USER'
  const token = await inTx(test.db, async (tx) => {
    await tx
      .insertInto('users')
      .values({
        id,
        username,
        email: `${username}@example.com`,
        password_hash,
        role,
        created_at: now,
        updated_at: now,
      })
      .execute()
    await openWallet(tx, id, now)
    const amount = yuan.decode(options.yuan ?? 0)
    await postEntry(tx, { userId: id, type: 'RECHARGE', amount, reference: `test-${id}`, description: '测试充值' }, now)
    return openSession(tx, id, { address: '127.0.0.1', userAgent: 'test' }, now)
  })
  const { id: sessionId } = await test.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  const send =
    (method: 'GET' | 'POST' | 'PUT') =>
    (path: string, body?: object, extra: Extra = {}) =>
      call(test, method, path, { token, ...(body ? { body } : {}), ...extra })
  return {
    user: { id, username, role, sessionId, address: '127.0.0.1' },
    token,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    async balance() {
      const wallet = await test.db
        .selectFrom('wallets')
        .select('balance_fen')
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow()
      return yuan.encode(wallet.balance_fen)
    },
  }
}

/** One REST call, by somebody or nobody. */
export async function call(
  test: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: Extra & { token?: string; body?: object } = {},
): Promise<Reply> {
  const raw = await test.app.inject({
    method,
    url: `/api${path}`,
    headers: {
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.key ? { 'idempotency-key': options.key } : {}),
      ...options.headers,
    },
    ...(options.body ? { payload: options.body } : {}),
  })
  const json = String(raw.headers['content-type']).includes('json')
  return { status: raw.statusCode, body: json ? raw.json() : raw.body, raw }
}
