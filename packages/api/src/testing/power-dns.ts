import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { promises } from 'node:dns'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { vi } from 'vitest'
import { freePort } from '../../../../tests/setup/free-port.js'

const schema = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

/** Why it cannot run here, or null. */
export const lacksPowerDns =
  spawnSync('pdns_server', ['--version']).error || !fs.existsSync(schema)
    ? 'PowerDNS is not installed (apt-get install pdns-server pdns-backend-sqlite3)'
    : null

/** Debian's, with API and empty database; can go away and come back with its zones. */
export async function startPowerDns() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-power-dns-'))
  const file = path.join(dir, 'zones.sqlite')
  const database = new DatabaseSync(file)
  database.exec(fs.readFileSync(schema, 'utf8'))
  database.close()
  const [apiPort, dnsPort] = [await freePort(), await freePort()]
  const [url, key, dns] = [`http://127.0.0.1:${apiPort}`, 'Key-of-the-name-server', `127.0.0.1:${dnsPort}`]
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    if (child) return
    child = spawn(
      'pdns_server',
      [
        '--no-config',
        `--config-dir=${dir}`,
        `--socket-dir=${dir}`,
        '--daemon=no',
        '--guardian=no',
        '--launch=gsqlite3',
        `--gsqlite3-database=${file}`,
        '--local-address=127.0.0.1',
        `--local-port=${dnsPort}`,
        '--webserver=yes',
        '--webserver-address=127.0.0.1',
        `--webserver-port=${apiPort}`,
        '--api=yes',
        `--api-key=${key}`,
        ...['cache-ttl', 'query-cache-ttl', 'negquery-cache-ttl', 'zone-cache-refresh-interval'].map(
          (cache) => `--${cache}=0`,
        ),
      ],
      { stdio: 'ignore' },
    )
    await vi.waitFor(
      async () => (await api('GET', '/servers/localhost')).ok || Promise.reject(new Error('not ready')),
      {
        timeout: 60_000,
      },
    )
  }

  async function stop(): Promise<void> {
    if (!child) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    child = null
  }

  const api = (method: string, at: string, body?: object) =>
    fetch(`${url}/api/v1${at}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })

  await start()
  return {
    url,
    key,
    dns,
    start,
    stop,
    /** A and AAAA records, in a forward zone. */
    async addZone(
      zone: string,
      records: { name: string; type: 'A' | 'AAAA'; content: string }[] = [],
      kind = 'Native',
    ) {
      const rrsets = records.map(({ name, type, content }) => ({
        name: `${name}.`,
        type,
        ttl: 60,
        changetype: 'REPLACE',
        records: [{ content, disabled: false }],
      }))
      const masters = kind === 'Slave' ? { masters: ['127.0.0.1'] } : { nameservers: ['ns.example.org.'] }
      const reply = await api('POST', '/servers/localhost/zones', { name: `${zone}.`, kind, rrsets, ...masters })
      if (!reply.ok) throw new Error(`zone not made: ${await reply.text()}`)
    },
    /** Its PTR answers over DNS. */
    async ptr(name: string): Promise<string[]> {
      const resolver = new promises.Resolver({ timeout: 2_000, tries: 3 })
      resolver.setServers([dns])
      return resolver.resolvePtr(name).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
        throw error
      })
    },
    async end() {
      await stop()
      fs.rmSync(dir, { recursive: true })
    },
  }
}
