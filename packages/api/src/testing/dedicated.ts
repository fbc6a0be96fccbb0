import { sql, type RawBuilder } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { JobStatus } from '@vps/shared/jobs'
import { claimSshJob, runSshJob } from '../fulfilment/ssh-jobs.js'
import { testDedicatedServers } from '../servers/ssh/due-tests.js'
import { startApp } from './app.js'
import { person } from './people.js'
import { openShop } from './shop.js'
import { startSshMachine } from './ssh-machine.js'

export type Dedicated = Awaited<ReturnType<typeof openDedicated>>

/** One answering server, a customer and an administrator. */
export async function openDedicated() {
  const app = await startApp()
  const shop = await openShop(app)
  const lin = await person(app, 'lin', { yuan: 100 })
  const admin = await person(app, 'boss', { admin: true })
  const machine = await startSshMachine('As-delivered-1')
  const said = (more: object = {}) => ({
    groupId: shop.groupId,
    ip: '127.0.0.1',
    port: machine.port,
    username: 'root',
    operatingSystem: 'debian  12',
    cpuCores: 4,
    memory: 8,
    diskSpace: 100,
    ...more,
  })
  const { status, body } = await admin.post('/servers', said({ password: 'As-delivered-1' }))
  if (status !== 200) throw new Error(body.message)
  const serverId: string = body.data.id
  async function lastTried(at: RawBuilder<Date> | null): Promise<void> {
    await app.db.updateTable('servers').set({ ssh_checked_at: at }).execute()
    await app.db.updateTable('dedicated_servers').set({ test_begun_at: at }).execute()
  }
  const talk = {
    said,
    lastTried,
    async work(): Promise<void> {
      for (let job = await claimSshJob(app.deps, uuidv7()); job; job = await claimSshJob(app.deps, uuidv7()))
        await runSshJob(app.deps, job)
    },
    async workAll(): Promise<void> {
      for (let tries = 0; tries < 3; tries += 1) {
        await app.db
          .updateTable('jobs')
          .set({ run_at: new Date(0) })
          .where('status', '=', 'QUEUED')
          .execute()
        await talk.work()
      }
    },
    async testAgain(): Promise<void> {
      await lastTried(null)
      await testDedicatedServers(app.deps)
    },
    async buy(more: object = {}, who = lin): Promise<string> {
      const { body } = await who.post('/orders', { ...shop.order, ...more })
      const paid = await who.post(`/orders/${body.data.id}/pay`)
      if (paid.status !== 200) throw new Error(paid.body.message)
      return body.data.id
    },
    order: async (id: string) => (await lin.get(`/orders/${id}`)).body.data,
    row: () =>
      app.db
        .selectFrom('servers as s')
        .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
        .selectAll(['s', 'd'])
        .where('s.id', '=', serverId)
        .executeTakeFirstOrThrow(),
    jobsNow: (status: JobStatus) => app.db.selectFrom('jobs').selectAll().where('status', '=', status).execute(),
    suspend: (id: string) => admin.put(`/orders/${id}/status`, { status: 'SUSPENDED', reason: '测试' }),
    resume: (id: string) => admin.put(`/orders/${id}/status`, { status: 'ACTIVE' }),
    ago: (seconds: number) => sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`,
    async close(): Promise<void> {
      await app.close()
      await machine.stop()
    },
  }
  return { app, shop, lin, admin, machine, serverId, ...talk }
}
