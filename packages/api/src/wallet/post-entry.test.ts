import { fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../db/tx.js'
import { startApp, type TestApp } from '../testing/app.js'
import { person, type Person } from '../testing/people.js'
import { postEntry, type Entry } from './post-entry.js'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const post = (who: Person, entry: Partial<Entry> & Pick<Entry, 'amount'>, now = new Date()) =>
  inTx(app.db, (tx) =>
    postEntry(tx, { userId: who.user.id, type: 'ADJUSTMENT', reference: uuidv7(), description: '测试', ...entry }, now),
  )

let count = 0
const newcomer = (yuan = 0) => person(app, `wallet_${++count}`, { yuan })

async function walletOf(who: Person) {
  return app.db.selectFrom('wallets').selectAll().where('user_id', '=', who.user.id).executeTakeFirstOrThrow()
}

describe('the ledger', () => {
  test('fifty entries posted at once are all counted, none twice', async () => {
    const lin = await newcomer(100)
    await Promise.all(Array.from({ length: 50 }, () => post(lin, { amount: fen(-100) })))
    expect(await lin.balance()).toBe(50)
    const { rows } = await sql<{
      ok: boolean
    }>`select bool_and(seq = rank and before_fen = coalesce(previous, 0)) as ok from (
      select seq, before_fen, row_number() over (order by seq) as rank, lag(after_fen) over (order by seq) as previous
      from ledger_entries where wallet_id = ${(await walletOf(lin)).id}) chain`.execute(app.db)
    expect(rows[0]?.ok).toBe(true)
  })

  test('entries are listed as the balance went, also where the clock of the process that wrote the later one is behind', async () => {
    const lin = await newcomer(100)
    const now = Date.now()
    for (const [cents, aheadMs] of [
      [-100, 3000],
      [-200, 0],
      [-300, 3000],
      [-400, 1],
    ] as const)
      await post(lin, { amount: fen(cents) }, new Date(now + aheadMs))
    const listed: { balanceBefore: number; balanceAfter: number }[] = (await lin.get('/transactions/page?size=4')).body
      .data.content
    expect(listed.map(({ balanceAfter }) => balanceAfter)).toEqual([90, 94, 97, 99])
  })

  test('of many payments at once only those are taken that the balance covers', async () => {
    const lin = await newcomer(5)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => post(lin, { amount: fen(-100) })))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5)
    expect(await lin.balance()).toBe(0)
  })

  test('the same reference of a type is posted once', async () => {
    const lin = await newcomer(10)
    await post(lin, { amount: fen(500), reference: 'once' })
    await expect(post(lin, { amount: fen(500), reference: 'once' })).rejects.toThrow(/type_reference/)
    expect(await lin.balance()).toBe(15)
  })
})

describe('the database refuses', () => {
  const expectRefused = (reason: RegExp, statement: ReturnType<typeof sql>) =>
    expect(statement.execute(app.owner)).rejects.toThrow(reason)

  test('an entry with a wrong "before"', async () => {
    const wallet = await walletOf(await newcomer(10))
    await expectRefused(
      /ledger_entries_chain|does not continue/,
      sql`insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
      values (${wallet.id}, ${wallet.user_id}, 2, ${uuidv7()}, ${uuidv7()}, 'ADJUSTMENT', ${uuidv7()}, 999, 1, 1000, '', now())`,
    )
  })

  test('an entry whose sum is wrong', async () => {
    const wallet = await walletOf(await newcomer(10))
    await expectRefused(
      /check/,
      sql`insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
      values (${wallet.id}, ${wallet.user_id}, 2, ${uuidv7()}, ${uuidv7()}, 'ADJUSTMENT', ${uuidv7()}, 1000, 1, 5000, '', now())`,
    )
  })

  test('an overdraft', async () => {
    const wallet = await walletOf(await newcomer(10))
    await expectRefused(
      /check/,
      sql`insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
      values (${wallet.id}, ${wallet.user_id}, 2, ${uuidv7()}, ${uuidv7()}, 'ADJUSTMENT', ${uuidv7()}, 1000, -1001, -1, '', now())`,
    )
  })

  test('an entry that leaves a gap', async () => {
    const wallet = await walletOf(await newcomer(10))
    await expectRefused(
      /ledger_entries_chain|does not continue/,
      sql`insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen, description, created_at)
      values (${wallet.id}, ${wallet.user_id}, 3, ${uuidv7()}, ${uuidv7()}, 'ADJUSTMENT', ${uuidv7()}, 1000, 1, 1001, '', now())`,
    )
  })

  test('a balance changed alone', async () => {
    const wallet = await walletOf(await newcomer(10))
    await expectRefused(/moves forward/, sql`update wallets set balance_fen = 999999 where id = ${wallet.id}`)
  })

  test('a balance moved forward to an entry that does not exist', async () => {
    const wallet = await walletOf(await newcomer(10))
    await expectRefused(
      /wallets_last_entry/,
      sql`update wallets set balance_fen = 999999, last_seq = last_seq + 1 where id = ${wallet.id}`,
    )
  })

  test('a balance set back to an older entry', async () => {
    const lin = await newcomer(10)
    await post(lin, { amount: fen(-400) })
    const wallet = await walletOf(lin)
    await expectRefused(
      /moves forward/,
      sql`update wallets set balance_fen = 1000, last_seq = 1 where id = ${wallet.id}`,
    )
  })

  test('an edited and a deleted entry', async () => {
    const wallet = await walletOf(await newcomer(10))
    await expectRefused(
      /never changed/,
      sql`update ledger_entries set description = 'x' where wallet_id = ${wallet.id}`,
    )
    await expectRefused(/never changed/, sql`delete from ledger_entries where wallet_id = ${wallet.id}`)
    await expectRefused(/never changed/, sql`truncate ledger_entries cascade`)
  })

  test('a deleted wallet and a wallet given to somebody else', async () => {
    const wallet = await walletOf(await newcomer(10))
    const other = await newcomer()
    await expectRefused(/violates foreign key|change its owner/, sql`delete from wallets where id = ${wallet.id}`)
    await expectRefused(
      /violates foreign key|change its owner/,
      sql`update wallets set user_id = ${other.user.id} where id = ${wallet.id}`,
    )
  })
})
