import { fail } from '../../errors.js'
import type { Driver } from '../driver/driver.js'
import { askWorker } from './ask.js'
import { observeDedicatedServer } from './outcome.js'
import { reserveDedicatedServers } from './place.js'
import { releaseDedicatedServer } from './release.js'
import { testForAnswer } from './test-dedicated.js'

export const ssh: Driver = {
  place: reserveDedicatedServers,
  // Another machine is another price: refunded (decision 0006).
  placeElsewhere: () => Promise.resolve(false),
  evacuate: () => fail('NOT_SUPPORTED'),
  migrate: () => fail('NOT_SUPPORTED'),
  beginMigration: () => fail('NOT_SUPPORTED'),
  settleMigration: () => fail('NOT_SUPPORTED'),
  ask: askWorker,
  outcome: observeDedicatedServer,
  // What a broken-off try did is unknown, and asked again.
  untold: () => Promise.resolve(),
  release: releaseDedicatedServer,
  async test(deps, serverId) {
    const began = performance.now()
    const isReached = (await testForAnswer(deps, serverId)) !== null
    const latencyMs = isReached ? Math.round(performance.now() - began) : null
    return { sshConnectable: isReached, latencyMs, lastCheckTime: deps.now().toISOString() }
  },
}
