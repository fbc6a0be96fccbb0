import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { inTx, publish } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import type { TestFailure } from '@vps/shared/dedicated'
import { mayReach } from '@vps/shared/networks'
import { fail } from '../../errors.js'
import { measure, type Figures } from './commands.js'
import { SshFailure, type Target } from './client.js'
import { createSample } from '../../metrics/samples.js'
import { updateLoginFigures } from './login-sample.js'
import { openSecrets } from '../../secrets/secrets.js'
import { readSshAccess, type SshAccess } from './access.js'
import { UnreadableSecret } from '../../vault.js'

const underWay = new Map<string, Promise<Figures | null>>()

/** Later callers share the answer under way. */
export function testDedicatedServerOnce(deps: Deps, serverId: string): Promise<Figures | null> {
  const shared = underWay.get(serverId) ?? testDedicatedServer(deps, serverId).finally(() => underWay.delete(serverId))
  underWay.set(serverId, shared)
  return shared
}

const answerMs = 8_000

/** For whoever waits for the answer: null also where it takes longer. What is found later is kept. */
export async function testForAnswer(deps: Deps, serverId: string, mostMs = answerMs): Promise<Figures | null> {
  const answered = new AbortController()
  const late = pause(mostMs, null, { signal: answered.signal })
  return Promise.race([testDedicatedServerOnce(deps, serverId), late]).finally(() => answered.abort())
}

/** Null when unreachable. */
export async function testDedicatedServer(deps: Deps, serverId: string): Promise<Figures | null> {
  const access = await readSshAccess(deps.db, serverId)
  const { target, knownSecretIds } = access
  const tested = mayContact(deps, target) ? await ask(deps, serverId, target, knownSecretIds) : notAsked(deps, target)
  const [figures, failure] = tested === null || typeof tested === 'string' ? [null, tested] : [tested, null]
  await inTx(deps.db, (tx) => finishTest(tx, access, figures, failure))
  if (figures) await createSample({ db: deps.db, engine: deps.metricEngine }, serverId, figures)
  return figures
}

/** Only in allowed networks. A demo's passwords are public: its administrators must not reach strangers' machines. */
export function mayContact({ config }: Deps, target: Pick<Target, 'host'>): boolean {
  return mayReach(target.host, config.allowedNetworks) && (!config.demo || !mayReach(target.host, []))
}

const notAsked = ({ config }: Deps, { host }: Target): TestFailure | null =>
  mayReach(host, config.allowedNetworks) ? null : 'not-allowed'

/** INVALID_INPUT; a demo may enter foreign machines. */
export function refuseInside({ config }: Deps, ip: string): void {
  const message = 'IP地址属于内部网络，未被允许'
  if (!mayReach(ip, config.allowedNetworks)) fail('INVALID_INPUT', { message, errors: { ip: message } })
}

async function ask(deps: Deps, serverId: string, target: Target, secretIds: string[]): Promise<Figures | TestFailure> {
  try {
    return await measure(target, await openSecrets(deps.db, deps.vault, secretIds))
  } catch (error) {
    const isUnreadable = error instanceof UnreadableSecret
    if (!(error instanceof SshFailure || isUnreadable)) throw error
    const kind = isUnreadable ? 'unreadable-secret' : error.kind
    const level = kind === 'changed-host-key' || isUnreadable ? 'error' : 'debug'
    deps.log[level]({ serverId, kind }, 'a dedicated server could not be tested')
    return kind
  }
}

/**
 * Null: unreachable, by `failure`. Keeps the first host key. Nothing where its address is another by now: that is another machine; or
 * where an act ended since: the password may be another, or the machine goes down.
 */
export async function finishTest(
  tx: Tx,
  { serverId, target: { host, port }, readAt }: Pick<SshAccess, 'serverId' | 'target' | 'readAt'>,
  figures: Figures | null,
  failure: TestFailure | null = null,
): Promise<void> {
  const server = await tx
    .selectFrom('servers as s')
    .innerJoin('dedicated_servers as d', 'd.server_id', 's.id')
    .select(['d.ip', 's.ssh_port', 's.power_changed_at'])
    .where('s.id', '=', serverId)
    .forNoKeyUpdate('s')
    .executeTakeFirst()
  if (server?.ip !== host || server.ssh_port !== port) return
  if (server.power_changed_at && server.power_changed_at > readAt) return
  const power = figures ? 'on' : 'unknown'
  publish(tx, { shop: 'server' })
  await tx
    .updateTable('servers')
    .set({
      ssh_connectable: figures !== null,
      ssh_checked_at: sql`clock_timestamp()`,
      power_changed_at: sql`case when power = ${power} then power_changed_at else clock_timestamp() end`,
      power,
    })
    .where('id', '=', serverId)
    .execute()
  const hostKey = figures?.hostKey ?? null
  await tx
    .updateTable('dedicated_servers')
    .set(({ fn, ref, val }) => ({ test_failure: failure, host_key: fn.coalesce(ref('host_key'), val(hostKey)) }))
    .where('server_id', '=', serverId)
    .execute()
  if (figures) await updateLoginFigures(tx, serverId, figures)
}
