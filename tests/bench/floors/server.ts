/** The floor of HTTP reads: Fastify and node-pg with prepared statements. */
import Fastify from 'fastify'
import pg from 'pg'
import { WebSocketServer } from 'ws'

const port = Number(process.env['PORT'])
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })

const catalogue = `select g.id, g.name, g.region, json_agg(json_build_object('period', p.period, 'fen', p.fen)) as prices
  from (select * from server_groups order by sort_order, id limit 8) g
  join price_groups pg on pg.server_group_id = g.id
  cross join lateral (values ('HOURLY', pg.hourly_fen), ('DAILY', pg.daily_fen), ('MONTHLY', pg.monthly_fen), ('ANNUAL', pg.annual_fen))
    p(period, fen) group by g.id, g.name, g.region`
const session = `select s.id, u.id as user_id, u.username, u.role from sessions s join users u on u.id = s.user_id
  where s.token_hash = sha256($1::bytea) and s.revoked_at is null and u.status = 'active'`
const wallet = `select id, user_id, balance_fen, created_at, updated_at from wallets where user_id = $1`
const orders = `select o.*, g.name as price_group, i.username, s.name as server, s.power, a.address from orders o
  join price_groups g on g.id = o.price_group_id join images i on i.id = o.image_id
  left join servers s on s.id = o.server_id left join placements p on p.server_id = s.id and p.state = 'held'
  left join addresses a on a.placement_id = p.id where o.user_id = $1 order by o.created_at desc, o.id desc limit 10`
const server = `select o.*, s.name as server, s.power, s.install_status, p.host_id, a.address, m.cpu_usage, m.memory_usage, m.disk_usage
  from orders o join servers s on s.id = o.server_id left join placements p on p.server_id = s.id and p.state = 'held'
  left join addresses a on a.placement_id = p.id left join server_metrics m on m.server_id = s.id where s.id = $2 and o.user_id = $1`

const app = Fastify()
const run = async (name: string, text: string, values: unknown[] = []) =>
  (await pool.query<Record<string, unknown>>({ name, text, values })).rows
const customer = async (authorization: string | undefined) => {
  const [found] = await run('session', session, [authorization?.slice('Bearer '.length)])
  if (!found) throw new Error('no session')
  return found['user_id']
}

app.get('/ready', () => 'ok')
app.get('/catalogue', async () => ({ success: true, data: await run('catalogue', catalogue) }))
app.get('/wallet', async (request) => {
  const user = await customer(request.headers.authorization)
  return { success: true, data: (await run('wallet', wallet, [user]))[0] }
})
app.get('/orders', async (request) => {
  const user = await customer(request.headers.authorization)
  return { success: true, data: await run('orders', orders, [user]) }
})
app.get<{ Params: { id: string } }>('/server/:id', async (request) => {
  const user = await customer(request.headers.authorization)
  return { success: true, data: (await run('server', server, [user, request.params.id]))[0] }
})
/** Until the client leaves. */
app.post('/held', () => new Promise(() => {}))

new WebSocketServer({ server: app.server, path: '/trpc' })
await app.listen({ port, host: '127.0.0.1' })
