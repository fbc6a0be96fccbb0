import type { Inventory, Report } from '@vps/shared/agent.contract'
import type { Tx } from '../../db/client.js'
import { applyInventory } from '../../fleet/inventory.js'
import { applyReport } from '../../fleet/report.js'
import { deletePower, createSamples } from './samples.js'

/** All that a host found on itself, and what that says of the servers on it. */
export async function applyHostInventory(tx: Tx, hostId: string, inventory: Inventory, now: Date): Promise<void> {
  await deletePower(tx, await applyInventory(tx, hostId, inventory, now))
}

/** How a host is, and how the servers on it are. */
export async function applyHostReport(tx: Tx, hostId: string, report: Report, now: Date): Promise<void> {
  await applyReport(tx, hostId, report, now)
  await createSamples(tx, hostId, report)
}
