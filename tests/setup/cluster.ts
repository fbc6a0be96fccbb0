import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../packages/api/src/db/migrate.js'
import { startPostgres, type Postgres } from '../../scripts/postgres.js'
import { endCluster } from './end-cluster.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's. */
    postgresUrl: string
    /** The application's. */
    applicationUrl: string
  }
}

const prefix = 'vps-tests-'
const memory = '/dev/shm'
const memoryBytes = 4 * 1024 ** 3

/** One throw-away cluster per run, with a migrated template to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const folder of [os.tmpdir(), memory]) sweepLeftovers(folder)
  const dir = path.join(clusterFolder(), `${prefix}${process.pid}-${randomBytes(3).toString('hex')}`)
  const postgres = await startPostgres({ dir, throwAway: true })
  try {
    await makeTemplate(postgres)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  project.provide('postgresUrl', postgres.url)
  project.provide('applicationUrl', postgres.applicationUrl)
  return () => endCluster(postgres)
}

async function makeTemplate({ url, applicationUrl }: Postgres): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query('create database template_migrated')
    const [databaseOwnerUrl, databaseUrl] = [url, applicationUrl].map((address) => {
      const template = new URL(address)
      template.pathname = '/template_migrated'
      return template.toString()
    }) as [string, string]
    await migrate({ databaseUrl, databaseOwnerUrl })
    await admin.query('alter database template_migrated with is_template true allow_connections false')
  } finally {
    await admin.end()
  }
}

/** In memory where there is room: a clone is 700 files, slow on a disk. */
function clusterFolder(): string {
  if (!fs.existsSync(memory)) return os.tmpdir()
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize >= memoryBytes ? memory : os.tmpdir()
}

/** Killed runs leave theirs; the folder carries the run's process id. */
function sweepLeftovers(folder: string): void {
  if (!fs.existsSync(folder)) return
  for (const name of fs.readdirSync(folder)) {
    const owner = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN)
    if (!owner || fs.existsSync(`/proc/${owner}`)) continue
    const dir = path.join(folder, name)
    const server = readServerPid(path.join(dir, 'data', 'postmaster.pid'))
    if (server && fs.existsSync(`/proc/${server}/cwd`) && fs.readlinkSync(`/proc/${server}/cwd`).startsWith(dir))
      process.kill(server, 'SIGQUIT')
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

function readServerPid(file: string): number | undefined {
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined
}
