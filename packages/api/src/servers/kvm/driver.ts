import { inTx } from '../../db/tx.js'
import type { Driver } from '../driver/driver.js'
import { askHost } from './ask.js'
import { enqueueConnectionTest, awaitConnectionTest } from './connection-tests.js'
import { evacuateMachine } from './evacuate.js'
import { installElsewhere, makeServers } from './install.js'
import { askForMigration, beginMigration, continueMigration, settleMigration } from './migrate.js'
import { observeMachine, observeUntold } from './outcome.js'
import { releaseMachine } from './release.js'

export const kvm: Driver = {
  place: makeServers,
  placeElsewhere: installElsewhere,
  evacuate: evacuateMachine,
  ask: askHost,
  migrate: askForMigration,
  beginMigration,
  settleMigration,
  async outcome(tx, job, result, now) {
    await observeMachine(tx, job, result, now)
    await continueMigration(tx, job, result, now)
  },
  untold: observeUntold,
  release: releaseMachine,
  async test(deps, serverId) {
    const id = await inTx(deps.db, (tx) => enqueueConnectionTest(tx, serverId, deps.now()))
    return awaitConnectionTest(deps.db, id)
  },
}
