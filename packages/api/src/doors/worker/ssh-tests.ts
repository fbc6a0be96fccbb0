import type { Deps } from '../../deps.js'
import { findUntried } from '../../servers/ssh-access.js'
import { testEntered } from '../../servers/test-entered.js'

const sideBySide = 5

/** Tries every entered machine that was not tried for a minute. Takes no input; run every minute. */
export async function testEnteredServers(deps: Deps): Promise<void> {
  const ids = await findUntried(deps.db)
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      for (let id = ids.pop(); id; id = ids.pop()) await testEntered(deps, id)
    }),
  )
}
