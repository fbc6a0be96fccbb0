import type { Inventory, Report } from '@vps/shared/agent.contract'
import type { Tx } from '../../db/client.js'
import { takeInventory } from '../../fleet/inventory.js'
import { takeReport } from '../../fleet/report.js'
import { forgetPower, takeSamples } from '../ssh/samples.js'

/** All that a host found on itself, and what that says of the servers on it. */
export async function takeHostInventory(tx: Tx, hostId: string, inventory: Inventory, now: Date): Promise<void> {
  await forgetPower(tx, await takeInventory(tx, hostId, inventory, now))
}

/** How a host is, and how the servers on it are. */
export async function takeHostReport(tx: Tx, hostId: string, report: Report, now: Date): Promise<void> {
  await takeReport(tx, hostId, report, now)
  await takeSamples(tx, hostId, report)
}
