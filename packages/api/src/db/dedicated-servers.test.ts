/** 0023 on a database in use, beside the version before. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore } from '../testing/database.js'

let db: Awaited<ReturnType<typeof databaseBefore>>
const group = '00000000-0000-7000-8000-000000000001'
const secret = '00000000-0000-7000-8000-000000000002'
const [sold, unsold, virtual, later] = [3, 4, 5, 6].map((last) => `00000000-0000-7000-8000-00000000000${last}`)
const dedicated = async (id: string | undefined) =>
  (await db.query(`select * from dedicated_servers where server_id = '${id}'`))[0]
const server = async (id: string | undefined) => (await db.query(`select * from servers where id = '${id}'`))[0]

beforeAll(async () => {
  db = await databaseBefore('0023')
  await db.query(`insert into categories (id, name, created_at, updated_at) values ('${group}', 'c', now(), now())`)
  await db.query(
    `insert into server_groups (id, category_id, name, created_at, updated_at) values ('${group}', '${group}', 'g', now(), now())`,
  )
  await db.query(`insert into machine_secrets values ('${secret}', 'v1.a.b.c.d', now())`)
  const sizes = `'${group}', 'n', 2, 4, 40, 0, now(), now()`
  const columns = 'group_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, created_at, updated_at'
  await db.query(`insert into servers (id, driver, ip, ssh_port, operating_system, network_speed, entered_status, host_key, locked_secret_id,
      ssh_asked_at, is_sold, needs_cleaning, ${columns})
    values ('${sold}', 'ssh', '192.0.2.1', 2222, 'Debian 12', '1 Gbps', 'ONLINE', 'key', '${secret}', '2026-01-01', true, true, ${sizes})`)
  await db.query(`insert into servers (id, driver, ip, ${columns}) values ('${unsold}', 'ssh', '192.0.2.1', ${sizes})`)
  await db.query(`insert into servers (id, driver, is_sold, ${columns}) values ('${virtual}', 'kvm', true, ${sizes})`)
  await db.next()
})
afterAll(() => db.drop())

test('every dedicated server keeps all that it had; a virtual machine gets nothing', async () => {
  expect(await dedicated(sold)).toEqual({
    server_id: sold,
    ip: '192.0.2.1',
    port: 2222,
    operating_system: 'Debian 12',
    network_speed: '1 Gbps',
    initial_status: 'ONLINE',
    host_key: 'key',
    locked_secret_id: secret,
    test_begun_at: (await server(sold))?.ssh_asked_at,
    is_sold: true,
    needs_cleaning: true,
  })
  expect(await dedicated(unsold)).toMatchObject({ ip: '192.0.2.1', port: 22, is_sold: false, host_key: null })
  expect(await dedicated(virtual)).toBeUndefined()
})

test('what a process of the version before writes is read by the new one', async () => {
  await db.query(`update servers set is_sold = true, host_key = 'first', ssh_port = 2022 where id = '${unsold}'`)
  expect(await dedicated(unsold)).toMatchObject({ is_sold: true, host_key: 'first', port: 2022 })
  await db.query(`insert into servers (id, driver, ip, group_id, name, cpu_cores, memory_gb, storage_gb, bandwidth_mbps, is_sold, created_at, updated_at)
    values ('${later}', 'ssh', '192.0.2.9', '${group}', 'n', 2, 4, 40, 0, false, now(), now())`)
  expect(await dedicated(later)).toMatchObject({ ip: '192.0.2.9', port: 22, is_sold: false })
  await db.query(`delete from servers where id = '${later}'`)
  expect(await dedicated(later)).toBeUndefined()
})

test('what the new version writes is read by a process of the one before', async () => {
  await db.query(
    `update dedicated_servers set is_sold = false, needs_cleaning = false, locked_secret_id = null where server_id = '${sold}'`,
  )
  expect(await server(sold)).toMatchObject({
    is_sold: false,
    needs_cleaning: false,
    locked_secret_id: null,
    ip: '192.0.2.1',
  })
})

test('no two dedicated servers answer at one address and port', async () => {
  await expect(db.query(`update servers set ssh_port = 2222 where id = '${unsold}'`)).rejects.toThrow('servers_ip_key')
  await expect(db.query(`update dedicated_servers set port = 2222 where server_id = '${unsold}'`)).rejects.toThrow(
    'dedicated_servers_address_unique',
  )
})
