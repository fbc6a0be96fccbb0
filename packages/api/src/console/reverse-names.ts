import type { ReverseNamesView } from '@vps/shared/reverse-names.contract'
import * as text from '@vps/shared/text'
import ipaddr from 'ipaddr.js'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { readNames, wantName } from '../reverse-names/rows.js'
import { offeredNames } from '../reverse-names/settings.js'
import type { ResolveName } from '../resolve-name.js'

/** Only administrators read what the name server said. */
export async function readReverseNames(db: Db, user: User, serverId: string): Promise<ReverseNamesView> {
  const offered = await offeredNames(db)
  const names = await readNames(db, serverId, offered?.zones ?? [])
  return {
    mustResolve: offered?.mustResolve ?? false,
    names: user.role === 'ADMIN' ? names : names.map((name) => ({ ...name, error: null })),
  }
}

type Wish = { serverId: string; address: string; name: string | null }

/** Before the transaction: where the operator asks for it, the name must lead to the address. INVALID_INPUT. */
export async function checkForward(db: Db, resolveName: ResolveName, { address, name }: Wish): Promise<void> {
  if (name === null || !(await offeredNames(db))?.mustResolve) return
  const found = await resolveName(name)
  if (found === null) refuse(`暂时查询不到 ${name} 的解析，请稍后再试`)
  if (!found.some((one) => isSame(one, address))) refuse(`${name} 还没有解析到 ${address}，请先添加解析记录`)
}

function refuse(message: string): never {
  fail('INVALID_INPUT', { message, errors: { name: message } })
}

function isSame(one: string, other: string): boolean {
  return ipaddr.isValid(one) && ipaddr.isValid(other) && ipaddr.parse(one).toString() === ipaddr.parse(other).toString()
}

/** Written to the name server within seconds of commit. NOT_FOUND, MOVE_NOT_ALLOWED where none is offered. */
export async function setReverseName(tx: Tx, user: User, wish: Wish, now: Date): Promise<void> {
  const { serverId, address, name } = wish
  await wantName(tx, wish, now)
  const { names } = await readReverseNames(tx, user, serverId)
  const isOffered = names.some((one) => one.isOffered && isSame(one.address, address))
  if (!isOffered) fail('MOVE_NOT_ALLOWED', { message: text.reverseNamesNotOffered })
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, actorOf(user), { action: 'server.setReverseName', subject, details: { address, name } }, now)
  const { user_id } = await tx
    .selectFrom('servers')
    .select('user_id')
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  if (user_id) publish(tx, { user: user_id, what: 'server', id: serverId })
}
