import pg from 'pg'
import { expect, test } from 'vitest'
import { toRefusal } from './errors.js'
import { testDatabase } from './testing/database.js'

/** As a server says it that has the messages of this language. */
const said = (table: string, detail: string) =>
  toRefusal(Object.assign(new pg.DatabaseError('23503', 1, 'error'), { code: '23503', table, detail }))

test.each([
  [
    'English',
    'Key (id)=(1) is still referenced from table "orders".',
    'Key (price_group_id)=(3) is not present in table "price_groups".',
  ],
  ['Chinese', '键值对(id)=(1)仍然是从表"orders"引用的.', '键值对(price_group_id)=(3)没有在表"price_groups"中出现.'],
  [
    'German',
    'Auf Schlüssel (id)=(1) wird noch aus Tabelle »orders« verwiesen.',
    'Schlüssel (price_group_id)=(3) ist nicht in Tabelle »price_groups« vorhanden.',
  ],
])(
  'whoever is still used says by what, and whoever is missing that it is, by a database that speaks %s',
  (_, used, missing) => {
    expect(said('orders', used)).toMatchObject({ code: 'IN_USE', message: '仍有订单使用此项，无法删除' })
    expect(said('orders', missing)?.code).toBe('UNKNOWN_RECORD')
  },
)

test('a database whose name nobody knows any more, or whom nobody can trust any more, is away, and which it was is for the log', async () => {
  const { url, drop } = await testDatabase()
  const withoutTls = new URL(url)
  withoutTls.searchParams.set('sslmode', 'verify-full')
  for (const connectionString of ['postgres://a@nowhere.invalid/a', withoutTls.href]) {
    const error: unknown = await new pg.Client({ connectionString }).connect().catch((refused: unknown) => refused)
    expect(toRefusal(error)).toMatchObject({ code: 'UNAVAILABLE', details: { cause: error } })
  }
  for (const code of ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])
    expect(toRefusal(Object.assign(new Error('not to be trusted'), { code }))?.code).toBe('UNAVAILABLE')
  await drop()
})
