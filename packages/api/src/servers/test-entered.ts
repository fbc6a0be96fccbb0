import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { measure, type Figures } from './drivers/ssh-acts.js'
import { SshFailure, type Target } from './drivers/ssh-client.js'
import { openSecrets } from './secrets.js'
import { noteTest, readSshAccess } from './ssh-access.js'

/** Tries an entered machine now: a login, and its figures. Gives what it told, or null when it could not be reached. */
export async function testEntered(deps: Deps, serverId: string): Promise<Figures | null> {
  const { target, knownSecretIds } = await readSshAccess(deps.db, serverId)
  const figures = mayContact(deps, target) ? await ask(deps, serverId, target, knownSecretIds) : null
  await inTx(deps.db, (tx) => noteTest(tx, serverId, figures))
  return figures
}

/**
 * The demo's passwords are known to everybody: whoever signs in there as administrator must not be able to make it log in
 * to strangers' machines.
 */
export function mayContact(deps: Deps, target: Target): boolean {
  return !deps.config.demo || /^(127\.|::1$)/.test(target.host)
}

async function ask(deps: Deps, serverId: string, target: Target, secretIds: string[]): Promise<Figures | null> {
  try {
    return await measure(target, await openSecrets(deps.db, deps.vault, secretIds))
  } catch (error) {
    if (!(error instanceof SshFailure)) throw error
    const level = error.kind === 'changed-host-key' ? 'error' : 'debug'
    deps.log[level]({ serverId, kind: error.kind }, 'an entered server could not be tested')
    return null
  }
}
