import { describe, expect, test } from 'vitest'
import { type Found, nothingFound } from '../hypervisor/hypervisor.js'
import { planRestore } from '../plan.js'

const wanted = { epoch: 1, number: 2 }
const older = { epoch: 1, number: 1 }
const found = (change: Partial<Found>): Found => ({ ...nothingFound, ...change })
const running = found({ power: 'on', autostart: true, definedBy: wanted, disks: [wanted] })

describe('restore', () => {
  const all = ['awaitBoot', 'proveLogin', 'restoreDisk', 'cutPower', 'defineMachine', 'removeOthers', 'startMachine']
  const then = found({ power: 'on', autostart: true, definedBy: older, disks: [older] })
  test.each<[string, Found, string[]]>([
    ['over a machine that runs', then, all],
    ['its disk is there', { ...then, disks: [older, wanted] }, all.filter((step) => step !== 'restoreDisk')],
    ['of none', found({}), all.filter((step) => step !== 'cutPower' && step !== 'removeOthers')],
    [
      'defined, the old disk still there',
      { ...running, disks: [older, wanted] },
      ['awaitBoot', 'proveLogin', 'removeOthers'],
    ],
    ['whole', running, ['awaitBoot', 'proveLogin']],
  ])('%s', (_state, there, steps) => {
    expect([...(planRestore(wanted, there) ?? [])]).toEqual(steps)
  })

  test('nothing where its name is somebody else’s', () => {
    expect(planRestore(wanted, found({ nameTaken: true }))).toBeNull()
  })
})
