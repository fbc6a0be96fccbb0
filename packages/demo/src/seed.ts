import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { saveRepository } from '@vps/api/backups/repository'
import { createAdministrator } from '@vps/api/accounts/create-administrator'
import { hashPassword } from '@vps/api/accounts/passwords'
import { findUserNamed } from '@vps/api/accounts/queries'
import { signUp } from '@vps/api/accounts/sign-up'
import type { User } from '@vps/api/actor'
import type { Db, Tx } from '@vps/api/db/client'
import { inTx } from '@vps/api/db/tx'
import type { Deps } from '@vps/api/deps'
import { toRefusal } from '@vps/api/errors'
import { withdrawMails } from '@vps/api/mail/enqueue-mail'
import { must } from '@vps/api/must'
import { setLabels } from '@vps/api/orders/set-labels'
import { backupRepositoryInput } from '@vps/shared/backups.contract'
import { livingStatuses } from '@vps/shared/orders'
import * as verbs from '@vps/shared/verbs'
import { repositoryUrl } from './catalogue.js'
import { createCatalogue } from './create-catalogue.js'
import { planCustomers } from './customers.js'
import { createDemoHosts } from './hosts.js'
import { measureMachines } from './machines.js'
import { levelWallet, planThePast } from './history.js'
import { day, later } from './orders.js'
import { liveTheServices } from './services.js'
import { Timeline } from './timeline.js'

export type Options = {
  /** One for each host's agent. */
  enrolmentTokens: readonly string[]
  /** Where simulated hosts are told their machines; without it they have none. */
  seedFolder: string | null
  /** Besides the demo account; with simulated hosts alone. */
  customers: number
}

/**
 * Fills an empty database (docs "Demo data") once, by the product's own commands with a past clock, in one transaction.
 */
export async function seedDemo(deps: Deps, options: Options): Promise<void> {
  if (!(await isSeeded(deps.db))) {
    const [admin, demo, others] = await Promise.all(
      ['Admin-demo-1', 'Demo-user-1', randomUUID()].map((password) => hashPassword(password)),
    )
    const hashes = { admin: must(admin), demo: must(demo), others: must(others) }
    await inTx(deps.db, (tx) => seed(tx, deps, hashes, options)).catch(async (error: unknown) => {
      // Another process was quicker.
      if (toRefusal(error)?.code !== 'USERNAME_TAKEN') throw error
    })
  }
}

const isSeeded = async (db: Db) => (await findUserNamed(db, 'admin')) !== null

type Hashes = Record<'admin' | 'demo' | 'others', string>

async function seed(tx: Tx, deps: Deps, hashes: Hashes, options: Options): Promise<void> {
  const now = deps.now()
  const opened = later(now, -400 * day)
  const account = (username: 'admin' | 'demo') => ({
    username,
    email: `${username}@example.com`,
    passwordHash: hashes[username],
  })
  const administrator = await createAdministrator(tx, account('admin'), opened)
  const visitor = { address: '203.0.113.99', userAgent: null }
  const { userId } = await signUp(tx, { ...account('demo'), visitor }, later(now, -120 * day))
  const admin: User = person(administrator, 'admin', 'ADMIN')
  const customer: User = person(userId, 'demo', 'USER')
  const catalogue = await createCatalogue(tx, admin, opened)
  const isSimulated = options.seedFolder !== null
  if (isSimulated) {
    const repository = backupRepositoryInput.parse({ url: repositoryUrl, password: randomUUID(), version: 0 })
    await saveRepository(tx, admin, { vault: deps.vault, now: opened }, repository)
  }
  const { enrolmentTokens, customers } = options
  const groupIds = [...catalogue.groupIds.values()]
  const hosts = await createDemoHosts(tx, admin, groupIds, { enrolmentTokens, isSimulated, opened, now })
  const past = { admin, hosts, catalogue, vault: deps.vault, timeline: new Timeline(), now }
  planThePast(tx, past, customer)
  if (isSimulated) planCustomers(tx, past, customers, hashes.others)
  await past.timeline.live(now)
  await levelWallet(tx, past, customer)
  await liveTheServices(tx, admin, now)
  await hosts.handOver()
  if (isSimulated) await measureMachines(tx, customer.id, now)
  await labelServers(tx, customer, now)
  // So that nobody gets a hundred letters today.
  await withdrawMails(tx)
  if (options.seedFolder) await writeSeedFiles(options.seedFolder, await hosts.machines())
}

async function labelServers(tx: Tx, customer: User, now: Date): Promise<void> {
  const words = ['生产 数据库', '生产 主站', verbs.test, '官网', '', '备案']
  const orders = await tx
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', customer.id)
    .where('status', 'in', livingStatuses)
    .orderBy('created_at', 'desc')
    .limit(words.length)
    .execute()
  for (const [n, { id }] of orders.entries())
    await setLabels(tx, customer, { id, labels: words[n]?.split(' ').filter(Boolean) ?? [] }, now)
}

const person = (id: string, username: string, role: User['role']): User => ({
  id,
  username,
  role,
  sessionId: id,
  address: null,
})

/** Before the commit, so that no host is ever without. */
async function writeSeedFiles(folder: string, hosts: readonly unknown[]): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [n, machines] of hosts.entries())
    await writeFile(path.join(folder, `${n + 1}.json`), JSON.stringify(machines))
}
