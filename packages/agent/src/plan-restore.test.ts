import { describe, expect, test } from 'vitest'
import { type Found, nothingFound } from './hypervisor/hypervisor.js'
import { planRestore, planRestoreElsewhere } from './plan.js'

const wanted = { epoch: 1, number: 2 }
const older = { epoch: 1, number: 1 }
const before: Found = { ...nothingFound, power: 'on', autostart: true, definedBy: older, disks: [older] }
const after: Found = { ...before, definedBy: wanted, disks: [wanted] }
const proof = ['awaitBoot', 'proveLogin']

const sorted = (steps: Set<string> | null) => steps && [...steps].toSorted()

describe('a restore over the same machine', () => {
  const switched = ['defineMachine', 'removeOthers', 'startMachine', ...proof]
  test.each<[string, Partial<Found>, string[] | null]>([
    ['of a running one does everything', {}, ['restoreDisk', 'cutPower', ...switched]],
    ['whose power nobody knows cuts it all the same', { power: 'unknown' }, ['restoreDisk', 'cutPower', ...switched]],
    ['of one that is off cuts nothing', { power: 'off' }, ['restoreDisk', ...switched]],
    [
      'where nothing is left of the machine makes it',
      nothingFound,
      ['restoreDisk', 'defineMachine', 'startMachine', ...proof],
    ],
    ['with the disk brought keeps it', { disks: [older, wanted] }, ['cutPower', ...switched]],
    [
      'that is defined already does not cut its power again',
      { ...after, disks: [older, wanted] },
      ['removeOthers', ...proof],
    ],
    ['takes away a seed that was left', { ...after, seeds: [older] }, ['removeOthers', ...proof]],
    ['that is defined, and off, starts it', { ...after, power: 'off' }, ['startMachine', ...proof]],
    ['that runs and would not come back starts it', { ...after, autostart: false }, ['startMachine', ...proof]],
    ['that is whole only proves it', after, proof],
    ['is refused where the name is taken', { nameTaken: true }, null],
  ])('%s', (_name, change, steps) => {
    expect(sorted(planRestore(wanted, { ...before, ...change }))).toEqual(steps && steps.toSorted())
  })
})

describe('a restore of another server’s backup', () => {
  const made = ['createSeed', 'defineMachine', 'startMachine', 'removeSeed', ...proof]
  test.each<[string, Partial<Found>, boolean, string[] | null]>([
    [
      'does everything, and gives it an identity of its own',
      {},
      false,
      ['restoreDisk', 'cutPower', 'removeOthers', 'takeIdentity', ...made],
    ],
    [
      'whose power nobody knows cuts it all the same',
      { power: 'unknown' },
      false,
      ['restoreDisk', 'cutPower', 'removeOthers', 'takeIdentity', ...made],
    ],
    ['on an empty host cuts and removes nothing', nothingFound, false, ['restoreDisk', 'takeIdentity', ...made]],
    [
      'over one that is off cuts nothing',
      { power: 'off' },
      false,
      ['restoreDisk', 'removeOthers', 'takeIdentity', ...made],
    ],
    [
      'with the disk brought keeps it, and takes the old one away',
      { disks: [wanted, older] },
      false,
      ['cutPower', 'removeOthers', 'takeIdentity', ...made],
    ],
    ['that runs as the new one is not cut', after, false, ['takeIdentity', ...proof]],
    ['that was proven is only proven', after, true, proof],
    ['that was proven, and is off, is started', { ...after, power: 'off' }, true, ['startMachine', ...proof]],
    ['is refused where the name is taken', { nameTaken: true }, false, null],
  ])('%s', (_name, change, proven, steps) => {
    expect(sorted(planRestoreElsewhere(wanted, { ...before, ...change }, proven))).toEqual(steps && steps.toSorted())
  })
})
