import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { root } from '../run-command.js'
import { Refusal } from './refusal.js'

export type Settings = {
  host: string
  port: number
  publicUrl: string
  dataDir: string
  databaseUrl: string | undefined
  databaseOwnerUrl: string | undefined
  /** Off with DEMO=0. */
  demo: boolean
  ownGateway: boolean
  hypervisor: string
  /** In the demo's data, besides its own account; with some there are three simulated hosts, without one. */
  customers: number
}

/** Everything else goes to the programs as it is. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  if (env['NODE_ENV'] === 'production')
    throw new Refusal('npm start is for trying it out and invents what is missing; in production run: npm run serve')
  const host = env['HOST'] || '127.0.0.1'
  const port = Number(env['PORT'] || 3000)
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Refusal(`PORT must be a whole number from 1 to 65535, not ${env['PORT']}.`)
  const gateway = ['EPAY_URL', 'EPAY_PID', 'EPAY_KEY'].filter((name) => env[name])
  if (gateway.length > 0 && gateway.length < 3)
    throw new Refusal('EPAY_URL, EPAY_PID and EPAY_KEY belong together; one of them is missing.')
  if (env['PUBLIC_URL'] && !URL.canParse(env['PUBLIC_URL'])) throw new Refusal('PUBLIC_URL is not a valid address.')
  if (env['DATABASE_OWNER_URL'] && !env['DATABASE_URL'])
    throw new Refusal('DATABASE_OWNER_URL is the owner beside the role of DATABASE_URL, which is not set.')
  const customers = Number(env['DEMO_CUSTOMERS'] || 40)
  if (!Number.isInteger(customers) || customers < 0 || customers > 200)
    throw new Refusal(`DEMO_CUSTOMERS must be a whole number from 0 to 200, not ${env['DEMO_CUSTOMERS']}.`)
  const asked = env['DEMO'] || '1'
  if (!['1', '0', 'true', 'false'].includes(asked)) throw new Refusal(`DEMO must be 1 or 0, not ${asked}.`)
  const demo = asked === '1' || asked === 'true'
  const hypervisor = env['HYPERVISOR'] || 'simulated'
  if (!['simulated', 'virsh'].includes(hypervisor))
    throw new Refusal(`HYPERVISOR must be simulated or virsh, not ${hypervisor}.`)
  return {
    host,
    port,
    publicUrl: env['PUBLIC_URL'] || urlOf(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port),
    dataDir: path.resolve(root, env['DATA_DIR'] || '.data'),
    databaseUrl: env['DATABASE_URL'] || undefined,
    databaseOwnerUrl: env['DATABASE_OWNER_URL'] || undefined,
    demo,
    ownGateway: demo && gateway.length === 0,
    hypervisor,
    customers,
  }
}

/** For programs on this machine. */
export function localUrl(host: string, port: number): string {
  return urlOf(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port)
}

const urlOf = (address: string, port: number) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`

export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const error = await tryPort(host, port)
  if (error === 'EADDRINUSE')
    throw new Refusal(`Port ${port} on ${host} is taken; stop what uses it or set another PORT.`)
  if (error) throw new Refusal(`${host}:${port} cannot be listened on (${error}).`)
}

/** At or after the wanted one. */
export async function findFreePort(host: string, wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 50; port += 1) if (!(await tryPort(host, port))) return port
  throw new Refusal(`No free port from ${wanted} to ${wanted + 49}.`)
}

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** Without the password in its address. */
export async function refuseBrokenDatabase(name: string, url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new Refusal(
      `${name} is not a valid address, expected postgres://user:password@host:5432/name, with signs such as #, / and ? of user and password as %23, %2F and %3F.`,
    )
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    if ((rows[0]?.version ?? 0) < 150_000) throw new Refusal(`${name} leads to a PostgreSQL older than 15.`)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error)
    throw new Refusal(`The database of ${name} cannot be reached: ${reason}.`)
  } finally {
    await client.end().catch(() => {})
  }
}
