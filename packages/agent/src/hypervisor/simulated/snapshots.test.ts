import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { createHostKey } from '../../host-key.js'
import { quickHost, temporaryFolder } from '../../testing/agent.js'
import { machine } from '../../testing/machines.js'
import { type Installed, snapshotContract } from '../../testing/snapshot-contract.js'
import { accessOf } from '../hypervisor.js'

const folder = temporaryFolder()
let installed: Installed

beforeAll(async () => {
  const [hypervisor, serverId, password, hostKey] = [quickHost(folder.path), randomUUID(), 'Then-1', createHostKey()]
  const [description, made] = [machine(), { epoch: 1, number: 1 }]
  const passwordHash = await hypervisor.hashPassword(password)
  await hypervisor.createDisk(serverId, description, made)
  await hypervisor.createSeed(serverId, description, made, { passwordHash, hostKey })
  await hypervisor.define(serverId, description, made)
  await hypervisor.start(serverId)
  await hypervisor.removeSeed(serverId)
  installed = { hypervisor, serverId, password, access: accessOf(description), hostKey: hostKey.fingerprint }
})
afterAll(() => folder.remove())

snapshotContract(() => installed)
