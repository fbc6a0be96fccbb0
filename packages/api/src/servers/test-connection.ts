import type { ConnectionTest } from '@vps/shared/console.contract'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { enqueueConnectionTest, awaitConnectionTest } from './kvm/connection-tests.js'
import { testDedicatedServerOnce } from './ssh/test-dedicated.js'

/** Tries a machine's SSH port now: a dedicated one from here, every other one by its host, which answers within 8 s. */
export async function testConnection(deps: Deps, server: { id: string; driver: string }): Promise<ConnectionTest> {
  if (server.driver !== 'ssh') {
    const id = await inTx(deps.db, (tx) => enqueueConnectionTest(tx, server.id, deps.now()))
    return awaitConnectionTest(deps.db, id)
  }
  const began = performance.now()
  const isReached = (await testDedicatedServerOnce(deps, server.id)) !== null
  const latencyMs = isReached ? Math.round(performance.now() - began) : null
  return { sshConnectable: isReached, latencyMs, lastCheckTime: deps.now().toISOString() }
}
