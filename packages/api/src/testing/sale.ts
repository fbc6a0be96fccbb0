import { randomUUID } from 'node:crypto'
import type { DedicatedServerInput } from '@vps/shared/servers.contract'
import { yuan as inFen } from '@vps/shared/money'
import { sql } from 'kysely'
import { inTx } from '../db/tx.js'
import type { AlertMail, MailJob } from '../mail/enqueue-mail.js'
import { createDedicatedServer } from '../servers/ssh/dedicated-servers.js'
import { startApp, type TestApp } from './app.js'
import { hostAgent } from './host.js'
import { person, type Person } from './people.js'
import { addHost, openShop, type Shop } from './shop.js'
import { postEntry } from '../wallet/post-entry.js'

export type HostAgent = ReturnType<typeof hostAgent>
export type Sale = Awaited<ReturnType<typeof openSale>>

/** A shop without a host, a customer and an administrator. */
export async function openStaffedShop(yuan = 100) {
  const app = await startApp()
  const shop = await openShop(app)
  const lin = await person(app, 'lin', { yuan })
  const admin = await person(app, 'boss', { admin: true })
  return { app, shop, lin, admin }
}

/** The same with one host and its agent. */
export async function openSale({ yuan, ...room }: { yuan?: number; servers?: number; addresses?: number } = {}) {
  const staffed = await openStaffedShop(yuan)
  const { app, shop, lin } = staffed
  const host = await addHost(app, shop, room)
  const agent = hostAgent(app, host.token)
  return { ...staffed, host, agent, ...salesTalk(app, shop, lin, agent) }
}

function salesTalk(app: TestApp, shop: Shop, lin: Person, agent: HostAgent) {
  const talk = {
    order: async (id: string) => (await lin.get(`/orders/${id}`)).body.data,
    orderRow: (id: string) => app.db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    place: async (more: object = {}, who = lin): Promise<string> =>
      (await who.post('/orders', { ...shop.order, ...more })).body.data.id,
    async buy(more: object = {}, who = lin): Promise<string> {
      const id = await talk.place(more, who)
      const { status, body } = await who.post(`/orders/${id}/pay`)
      if (status !== 200) throw new Error(`not paid: ${body.message}`)
      return id
    },
    async buyActive(more: object = {}, who = lin): Promise<string> {
      const id = await talk.buy(more, who)
      while (await agent.serve());
      return id
    },
    serverOf: async (id: string): Promise<string> => (await talk.order(id)).serverId,
    /** Milliseconds after the present end. */
    async toEnd(id: string, after = 0): Promise<void> {
      const { expires_at } = await talk.orderRow(id)
      app.advance((expires_at?.getTime() ?? 0) + after - app.deps.now().getTime())
    },
    recharge: (yuan: number) =>
      inTx(app.db, (tx) => {
        const entry = { type: 'RECHARGE', reference: randomUUID(), description: '充值' } as const
        return postEntry(tx, { userId: lin.user.id, amount: inFen.decode(yuan), ...entry }, app.deps.now())
      }),
    async alerts(): Promise<AlertMail[]> {
      return (await queuedMails(app)).filter((mail) => mail.template === 'operatorAlert')
    },
    /** To customers, but that a server is there. */
    async mails(): Promise<MailJob[]> {
      return (await queuedMails(app)).filter(
        ({ template }) => template !== 'orderActive' && template !== 'operatorAlert',
      )
    },
  }
  return talk
}

async function queuedMails(app: TestApp): Promise<MailJob[]> {
  const { rows } = await sql<{
    payload: MailJob
  }>`select payload from graphile_worker._private_jobs order by id`.execute(app.db)
  return rows.map(({ payload }) => payload)
}

export const enteredMachine = {
  ip: '203.0.113.9',
  port: 22,
  username: 'root',
  status: 'OFFLINE',
  operatingSystem: 'Debian 12',
  cpuCores: 4,
  memory: 8,
  diskSpace: 100,
  diskType: 'SSD',
  networkSpeed: '1 Gbps',
} as const

/** Just reached; no machine answers. Gives its id. */
export async function addReached(
  { app, shop, admin }: Pick<Sale, 'app' | 'shop' | 'admin'>,
  more: Partial<DedicatedServerInput> = {},
) {
  const input = { ...enteredMachine, groupId: shop.groupId, ...more }
  const secret = app.deps.vault.seal('As-delivered-1')
  const id = await inTx(app.db, (tx) => createDedicatedServer(tx, admin.user, { ...input, secret }, app.deps.now()))
  await app.db
    .updateTable('servers')
    .set({ ssh_connectable: true, ssh_checked_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  return id
}
