/** 0024 on a database in use. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore } from '../testing/database.js'

let db: Awaited<ReturnType<typeof databaseBefore>>
const id = (last: number) => `00000000-0000-7000-8000-${String(last).padStart(12, '0')}`
const [dedicated, virtual, unsold] = [id(31), id(32), id(33)]
type Forged = { order: string; server: string | null; status: string; paid?: string; ended?: string }
const orders: Forged[] = [
  { order: id(1), server: dedicated, status: 'EXPIRED', paid: '10:00', ended: '11:00' },
  // Paid where the clock was behind, and given back at once.
  { order: id(2), server: dedicated, status: 'CANCELLED', paid: '10:59', ended: '10:59' },
  { order: id(3), server: dedicated, status: 'ACTIVE', paid: '10:58' },
  { order: id(4), server: virtual, status: 'EXPIRED', paid: '09:00', ended: '12:00' },
  { order: id(5), server: null, status: 'PENDING' },
  { order: id(6), server: null, status: 'CANCELLED', ended: '12:00' },
]

beforeAll(async () => {
  db = await databaseBefore('0024')
  const at = (time: string | undefined) => (time ? `'2026-01-01 ${time}Z'` : 'null')
  const rows = orders.map(
    ({ order, server, status, paid, ended }, number) =>
      `('${order}', 'V${number}', '${id(9)}', '${id(9)}', '${id(9)}', ${server ? `'${server}'` : 'null'}, '${status}', 1, '${id(9)}', 'MONTHLY', false, now(), now(),
        1, 1, 20, 1, 1, 'Debian', '12', 22, ${at(paid)}, ${paid ? 1 : 'null'}, ${at(ended)}, now(), now())`,
  )
  const servers = [
    `('${dedicated}', 'ssh', '${id(3)}', null)`,
    `('${virtual}', 'kvm', '${id(4)}', '2026-01-01 12:00Z')`,
    `('${unsold}', 'ssh', null, null)`,
  ].map((row) => row.replace(/\)$/, `, '${id(9)}', 'n', 2, 4, 40, 0, now(), now())`))
  await db.query(`begin; set local session_replication_role = replica;
    insert into servers (id, driver, order_id, released_at, group_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, created_at, updated_at)
      values ${servers.join()};
    insert into orders (id, number, user_id, price_group_id, image_id, server_id, status, amount_fen, initial_secret_id, period, auto_renewal, anchor_at, expires_at, cpu_cores, memory_gb, storage_gb,
        bandwidth_mbps, ip_count, os_name, os_version, ssh_port, paid_at, paid_fen, ended_at, created_at, updated_at) values ${rows.join()};
    commit`)
  await db.next()
})
afterAll(() => db.drop())

const clock = (at: unknown) => (at instanceof Date ? at.toISOString().slice(11, 16) : null)
const tenanciesOf = async (server: string) =>
  (await db.query(`select * from tenancies where server_id = '${server}' order by from_at, until_at`)).map((row) => [
    row.order_id,
    clock(row.from_at),
    clock(row.until_at),
  ])

test('every order that was given a server has its time on it, one after the other whatever the clocks said', async () => {
  expect(await tenanciesOf(dedicated)).toEqual([
    [id(1), '10:00', '11:00'],
    [id(2), '11:00', '11:00'],
    [id(3), '11:00', null],
  ])
  expect(await tenanciesOf(virtual)).toEqual([[id(4), '09:00', '12:00']])
  expect(await tenanciesOf(unsold)).toEqual([])
})

test('a process of the version before, which knows of no tenancy, begins and ends one all the same', async () => {
  await db.query(`update servers set order_id = null, updated_at = '2026-01-01 13:00Z' where id = '${dedicated}'`)
  expect((await tenanciesOf(dedicated)).at(-1)).toEqual([id(3), '11:00', '13:00'])
  await db.query(`update servers set order_id = '${id(6)}', updated_at = '2026-01-01 12:00Z' where id = '${dedicated}'`)
  expect((await tenanciesOf(dedicated)).at(-1)).toEqual([id(6), '13:00', null])
})
