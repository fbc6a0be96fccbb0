import type { Tx } from '../db/client.js'

/** Changes the name that people read; nothing on the machine follows it. */
export async function nameServer(tx: Tx, serverId: string, name: string, now: Date): Promise<void> {
  await tx.updateTable('servers').set({ name, updated_at: now }).where('id', '=', serverId).execute()
}
