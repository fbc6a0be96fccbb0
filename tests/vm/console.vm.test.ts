import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { listen, testConsoles } from '../../packages/agent/src/testing/console-contract.js'
import { applyFiles, makeHostFolder, patient, putFaultyVirsh, settingsOf } from './host.js'

const folder = makeHostFolder()
const hypervisor = openVirsh(settingsOf(folder))
const serverId = randomUUID()
let takeAway = async () => {}
beforeAll(async () => {
  takeAway = await putFaultyVirsh(folder)
  await hypervisor.open()
  await applyFiles(hypervisor, serverId, 5)
})
afterAll(async () => {
  await hypervisor.cutPower(serverId)
  await hypervisor.remove(serverId)
  await takeAway()
})

describe.each(['hangs', 'lies', 'floods', 'speaks another language', 'answers late'])('virsh %s', (kind) => {
  test.each(['domstats', 'dumpxml'])(
    'at %s: no console, in time, and the next is there',
    async (verb) => {
      writeFileSync('/run/virsh-fault', `${verb} ${kind}\n`)
      const impatient = openVirsh({ ...settingsOf(folder), virshTimeoutMs: 5000 })
      await expect(impatient.openConsole(serverId, 'screen')).rejects.toBeInstanceOf(Error)
      const screen = await impatient.openConsole(serverId, 'screen')
      await expect.poll(listen(screen).text).toBe('RFB 003.008\n')
      screen.destroy()
    },
    patient.actMs,
  )
})

testConsoles(() => ({ hypervisor, serverId }))
