import type { Inventory } from '@vps/shared/agent.contract'
import type { Tx } from '../../db/client.js'
import { applyInventory } from '../../fleet/inventory.js'
import { deletePower } from './samples.js'

/** What a host found, and what that says of its servers. */
export async function applyHostInventory(tx: Tx, hostId: string, inventory: Inventory, now: Date): Promise<void> {
  await deletePower(tx, await applyInventory(tx, hostId, inventory, now))
}
