import type { Inventory } from '@vps/shared/agent.contract'
import type { Db } from '../../db/client.js'
import { inTx } from '../../db/tx.js'
import { applyInventory } from '../../fleet/inventory.js'
import { deletePower } from './samples.js'

/** What a host found; then, of its own, what that says of its servers, which are locked before a host (docs/money.md). */
export async function applyHostInventory(db: Db, hostId: string, inventory: Inventory, now: Date): Promise<void> {
  const missing = await inTx(db, (tx) => applyInventory(tx, hostId, inventory, now))
  if (missing.length > 0) await inTx(db, (tx) => deletePower(tx, missing))
}
