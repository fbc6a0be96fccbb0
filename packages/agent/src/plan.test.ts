import { describe, expect, test } from 'vitest'
import { type Found, nothingFound } from './hypervisor/hypervisor.js'
import { checkDestroyed, checkInstalled, planDestroy, planInstall, planRestart, planStart, planStop } from './plan.js'

const wanted = { epoch: 1, number: 2 }
const older = { epoch: 1, number: 1 }
const found = (change: Partial<Found>): Found => ({ ...nothingFound, ...change })
const running = found({ power: 'on', autostart: true, definedBy: wanted, disks: [wanted] })

const everything = [
  'verifyImage',
  'createDisk',
  'createSeed',
  'defineMachine',
  'startMachine',
  'awaitBoot',
  'proveLogin',
  'removeSeed',
]

describe('install', () => {
  test('a guest that may have booted with a host key that nobody knows is made anew, unless it was delivered', () => {
    const unknown = { proven: false, keyed: false }
    for (const there of [running, { ...running, power: 'off' as const }, found({ disks: [wanted], seeds: [wanted] })])
      expect(planInstall(wanted, there, unknown)).toContain('createDisk')
    expect(planInstall(wanted, found({ disks: [wanted] }), unknown)).not.toContain('createDisk')
    expect(planInstall(wanted, running, { proven: true, keyed: false })).not.toContain('createDisk')
  })

  test.each<[string, Found, boolean, string[]]>([
    ['on an empty host does everything', nothingFound, false, everything],
    [
      'over an older generation does everything',
      found({ power: 'on', autostart: true, definedBy: older, disks: [older] }),
      false,
      everything,
    ],
    [
      'with its disk keeps the disk',
      found({ disks: [wanted] }),
      false,
      ['createSeed', 'defineMachine', 'startMachine', 'awaitBoot', 'proveLogin', 'removeSeed'],
    ],
    [
      'with everything but power starts it',
      found({ power: 'off', definedBy: wanted, disks: [wanted], seeds: [wanted] }),
      false,
      ['startMachine', 'awaitBoot', 'proveLogin', 'removeSeed'],
    ],
    ['that is whole only proves it again', running, true, ['awaitBoot', 'proveLogin']],
    [
      'whose disk is gone from under the running machine makes disk, seed and definition anew',
      found({ ...running, disks: [] }),
      false,
      everything,
    ],
    [
      'that runs by another definition is defined anew with a seed',
      found({ ...running, definedBy: older }),
      false,
      ['createSeed', 'defineMachine', 'startMachine', 'awaitBoot', 'proveLogin', 'removeSeed'],
    ],
    [
      'that was delivered and is off starts it, and makes no new seed',
      found({ ...running, power: 'off' }),
      true,
      ['startMachine', 'awaitBoot', 'proveLogin'],
    ],
  ])('%s', (_name, there, proven, steps) => {
    expect([...planInstall(wanted, there, { proven, keyed: true })].sort()).toEqual([...steps].sort())
  })

  test.each<[string, Partial<Found>, RegExp]>([
    ['a whole machine', {}, /^whole$/],
    ['one that is off', { power: 'off' }, /is off/],
    ['one of another generation', { definedBy: older }, /definition/],
    ['one on another disk', { disks: [older] }, /disk/],
    ['one with an older disk beside its own', { disks: [wanted, older] }, /disk/],
    ['one that still has its seed', { seeds: [wanted] }, /seed/],
    ['one that would not come back', { autostart: false }, /autostart/],
  ])('the check judges %s', (_name, change, problem) => {
    const said = checkInstalled(wanted, { ...running, ...change })
    expect(said ?? 'whole').toMatch(problem)
  })
})

test('start does nothing to what runs and comes back, else starts it', () => {
  expect(planStart(running).size).toBe(0)
  expect(planStart({ ...running, autostart: false }).size).toBe(1)
  expect(planStart({ ...running, power: 'unknown' }).size).toBe(1)
})

test('stop asks first unless it is forced, and clears autostart of what is off', () => {
  expect([...planStop(running, false)]).toEqual(['askShutdown', 'cutPower'])
  expect([...planStop(running, true)]).toEqual(['cutPower'])
  expect([...planStop({ ...running, power: 'off' }, false)]).toEqual(['cutPower'])
  expect(planStop({ ...running, power: 'off', autostart: false }, false).size).toBe(0)
  // Nobody is asked to shut down where there is nobody; what would come back is kept from it.
  expect(planStop({ ...nothingFound }, false).size).toBe(0)
  expect([...planStop({ ...nothingFound, autostart: true }, false)]).toEqual(['cutPower'])
})

test('a restart that had the machine off already only starts it', () => {
  expect([...planRestart(running, false)]).toEqual(['stopMachine', 'startMachine'])
  expect([...planRestart(running, true)]).toEqual(['startMachine'])
  expect([...planRestart({ ...running, power: 'off' }, false)]).toEqual(['startMachine'])
})

test('destroy takes whatever is left, and its check names it', () => {
  expect([...planDestroy(running)]).toEqual(['cutPower', 'removeMachine'])
  expect([...planDestroy(found({ seeds: [older] }))]).toEqual(['removeMachine'])
  expect([...planDestroy({ ...running, power: 'unknown' })]).toEqual(['cutPower', 'removeMachine'])
  expect([...planDestroy({ ...running, power: 'off' })]).toEqual(['removeMachine'])
  expect(planDestroy(nothingFound).size).toBe(0)
  expect(checkDestroyed({ ...nothingFound, power: 'off' })).toMatch(/machine is still there \(off\)/)
  expect(checkDestroyed(found({ disks: [older] }))).toMatch(/disk/)
  expect(checkDestroyed({ ...nothingFound, seeds: [older] })).toMatch(/seed/)
  expect(checkDestroyed(nothingFound)).toBeNull()
})
