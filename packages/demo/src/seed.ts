import { writeFile } from 'node:fs/promises'
import { createAdministrator } from '@vps/api/accounts/create-administrator'
import { hashPassword } from '@vps/api/accounts/passwords'
import { findUserNamed } from '@vps/api/accounts/queries'
import { signUp } from '@vps/api/accounts/sign-up'
import type { User } from '@vps/api/actor'
import type { Db, Tx } from '@vps/api/db/client'
import { inTx } from '@vps/api/db/tx'
import type { Deps } from '@vps/api/deps'
import { toRefusal } from '@vps/api/errors'
import { createCatalogue } from './create-catalogue.js'
import { createDemoHost } from './host.js'
import { installedMachines } from './machines.js'
import { day, liveThePast } from './history.js'
import { liveTheServices } from './services.js'

/** The demo's agent shows `enrolmentToken`; without a `seedFile` no simulated host had machines. */
export type Options = { enrolmentToken: string | null; seedFile: string | null }

/**
 * Fills an empty database (docs "Demo data"), once, by the product's own commands with a past clock, in one
 * transaction; then tells the simulated host its servers.
 */
export async function seedDemo(deps: Deps, options: Options): Promise<void> {
  if (!(await isSeeded(deps.db))) {
    const hashes = { admin: await hashPassword('Admin-demo-1'), demo: await hashPassword('Demo-user-1') }
    await inTx(deps.db, (tx) => seed(tx, deps, hashes, options)).catch(async (error: unknown) => {
      // Another process was quicker.
      if (toRefusal(error)?.code !== 'USERNAME_TAKEN') throw error
    })
  }
  if (options.seedFile) await writeSeedFile(deps.db, options.seedFile)
}

const isSeeded = async (db: Db) => (await findUserNamed(db, 'admin')) !== null

async function seed(tx: Tx, deps: Deps, hashes: Record<'admin' | 'demo', string>, options: Options): Promise<void> {
  const now = deps.now()
  const opened = new Date(now.getTime() - 120 * day)
  const account = (username: 'admin' | 'demo') => ({
    username,
    email: `${username}@example.com`,
    passwordHash: hashes[username],
  })
  const administrator = await createAdministrator(tx, account('admin'), opened)
  const visitor = { address: '203.0.113.99', userAgent: null }
  const { userId } = await signUp(tx, { ...account('demo'), visitor }, opened)
  const admin: User = person(administrator, 'admin', 'ADMIN')
  const customer: User = person(userId, 'demo', 'USER')
  const catalogue = await createCatalogue(tx, admin, opened)
  const host = await createDemoHost(tx, admin, [...catalogue.groupIds.values()], { ...options, opened, now })
  await liveThePast(tx, { admin, customer, host, catalogue, vault: deps.vault, now })
  await liveTheServices(tx, admin, now)
  await host.handOver()
}

const person = (id: string, username: string, role: User['role']): User => ({
  id,
  username,
  role,
  sessionId: id,
  address: null,
})

async function writeSeedFile(db: Db, file: string): Promise<void> {
  await writeFile(file, JSON.stringify(await installedMachines(db)))
}
