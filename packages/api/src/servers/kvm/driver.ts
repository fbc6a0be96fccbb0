import { inTx } from '../../db/tx.js'
import type { Driver } from '../driver/driver.js'
import { askHost } from './ask.js'
import { enqueueConnectionTest, awaitConnectionTest } from './connection-tests.js'
import { evacuateMachine } from './evacuate.js'
import { installElsewhere, makeServers } from './install.js'
import { observeMachine } from './outcome.js'
import { releaseMachine } from './release.js'

export const kvm: Driver = {
  place: makeServers,
  placeElsewhere: installElsewhere,
  evacuate: evacuateMachine,
  ask: askHost,
  outcome: observeMachine,
  release: releaseMachine,
  async test(deps, serverId) {
    const id = await inTx(deps.db, (tx) => enqueueConnectionTest(tx, serverId, deps.now()))
    return awaitConnectionTest(deps.db, id)
  },
}
