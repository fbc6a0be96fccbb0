import { inTx } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import { claimUntested } from './access.js'
import { testDedicatedServer } from './test-dedicated.js'

const sideBySide = 5

/**
 * Tries every dedicated server whose test is due; one that cannot even be asked holds up no other. Takes no input; run
 * every 5 s.
 */
export async function testDedicatedServers(deps: Deps): Promise<void> {
  const ids = await inTx(deps.db, claimUntested)
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      for (let id = ids.pop(); id; id = ids.pop()) await tryOne(deps, id)
    }),
  )
}

async function tryOne(deps: Deps, serverId: string): Promise<void> {
  try {
    await testDedicatedServer(deps, serverId)
  } catch (error) {
    deps.log.error({ err: error, serverId }, 'a dedicated server could not be asked')
  }
}
