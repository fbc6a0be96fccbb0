import { expect, test } from 'vitest'
import { type Found, nothingFound } from './hypervisor/hypervisor.js'
import { checkIsoEjected, checkIsoInserted, planEjectIso, planInsertIso } from './plan-iso.js'

const running: Found = { ...nothingFound, power: 'on', autostart: true }
const boots = { isoId: 'disc', boots: true }
const beside = { isoId: 'disc', boots: false }
const holding = (id: string, boots: boolean): Found => ({ ...running, iso: { id, boots } })
const insertion = ['verifyImage', 'insertIso']

test.each<[string, typeof boots, Found, boolean, string[] | null]>([
  ['comes beside a running system without a restart', beside, running, false, insertion],
  ['that is there already is not put in again', beside, holding('disc', false), false, []],
  ['takes the place of another', beside, holding('other', false), false, insertion],
  ['from which it boots no more is put in anew', beside, holding('disc', true), false, insertion],
  ['from which it boots restarts it', boots, running, false, [...insertion, 'stopMachine', 'startMachine']],
  ['restarts it once, though it was interrupted', boots, holding('disc', true), true, ['startMachine']],
  ['needs a machine', boots, nothingFound, false, null],
])('a disc %s', (_name, wanted, found, stopped, steps) => {
  const planned = planInsertIso(wanted, found, stopped)
  expect(planned && [...planned]).toEqual(steps)
})

test('a disc must be seen in the drive, and a machine that boots from it must run', () => {
  const missing = 'the definition has another disc in its drive, or none'
  expect(checkIsoInserted(beside, { ...holding('disc', false), power: 'off' })).toBeNull()
  expect(checkIsoInserted(boots, holding('disc', true))).toBeNull()
  expect(checkIsoInserted(boots, { ...holding('disc', true), power: 'off' })).toBe('the machine is off')
  for (const found of [running, holding('other', false), holding('disc', true)])
    expect(checkIsoInserted(beside, found)).toBe(missing)
})

test('a drive is emptied wherever there is one, whatever the definition says', () => {
  expect([[...planEjectIso(running)], [...planEjectIso(nothingFound)]]).toEqual([['ejectIso'], []])
  expect(checkIsoEjected(running)).toBeNull()
  expect(checkIsoEjected(holding('disc', false))).toBe('the definition has a disc in its drive')
})
