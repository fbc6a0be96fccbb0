import type { Generation } from '@vps/shared/jobs'
import { describe, expect, test } from 'vitest'
import { type Found, nothingFound } from './hypervisor/hypervisor.js'
import {
  checkAdmitted,
  checkDestroyed,
  checkFirewall,
  checkInRescue,
  checkInstalled,
  checkRescueLeft,
  checkResized,
  checkReverted,
  checkStarted,
  planDestroy,
  planEnterRescue,
  planFirewall,
  planInstall,
  planLeaveRescue,
  planResize,
  planRestart,
  planRevert,
  planSnapshot,
  planStart,
  planStop,
} from './plan.js'
import { checkRedefined, diskToRedefine, planRedefine } from './plan-redefine.js'

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
    ['one without a disk', { disks: [] }, /disk/],
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
  expect(checkStarted({ ...running, autostart: false })).toBe('autostart is off')
})

test('stop asks first unless it is forced, and clears autostart of what is off', () => {
  expect([...planStop(running, false)]).toEqual(['askShutdown', 'cutPower'])
  expect([...planStop(running, true)]).toEqual(['cutPower'])
  expect([...planStop({ ...running, power: 'off' }, false)]).toEqual(['cutPower'])
  expect(planStop({ ...running, power: 'off', autostart: false }, false).size).toBe(0)
  expect(planStop({ ...nothingFound }, false).size).toBe(0)
  expect([...planStop({ ...nothingFound, autostart: true }, false)]).toEqual(['cutPower'])
})

test('a stop takes away what lies beside the disk in use, once, and never that one', () => {
  const off = { ...running, power: 'off' as const, autostart: false }
  for (const left of [{ disks: [older, wanted] }, { hasHalf: true }, { rescues: ['r'] }])
    expect([...planStop({ ...off, ...left }, false)]).toEqual(['cutPower'])
  const others = { ...off, disks: [older, wanted], rescues: ['r'], hasHalf: true }
  for (const inUse of [{ rescueId: 'r' }, { seeds: [wanted] }, { definedBy: null }, { disks: [older] }])
    expect(planStop({ ...others, ...inUse }, false).size).toBe(0)
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
  expect(checkDestroyed({ ...nothingFound, rescues: ['one'] })).toMatch(/rescue/)
  expect(checkDestroyed({ ...nothingFound, hasHalf: true })).toMatch(/disk/)
  expect(checkDestroyed({ ...nothingFound, firewall: 0 })).toMatch(/firewall/)
  expect(checkDestroyed({ ...nothingFound, outsidePorts: ['203.0.113.1:2201'] })).toMatch(/ports/)
  expect(checkDestroyed(nothingFound)).toBeNull()
})

test('a firewall is applied again unless a later one is there, and its check asks for none older', () => {
  const held = (firewall: number | null) => ({ ...running, firewall })
  expect([null, 1, 2].map((firewall) => [...planFirewall(2, held(firewall))!])).toEqual(
    Array.from({ length: 3 }, () => ['applyFirewall']),
  )
  expect(planFirewall(2, held(3))!.size).toBe(0)
  expect(planFirewall(2, { ...nothingFound, firewall: 3 })).toBeNull()
  expect([2, 3].map((firewall) => checkFirewall(2, held(firewall)))).toEqual([null, null])
  expect([null, 1].map((firewall) => checkFirewall(2, held(firewall)))).toEqual([
    'the firewall has revision none',
    'the firewall has revision 1',
  ])
  expect(checkFirewall(0, held(null))).toBeNull()
})

test('a machine may send from exactly the addresses that are its own', () => {
  const [one, two] = ['192.0.2.1', '192.0.2.2']
  const sends = (addresses: string[]) => checkAdmitted([one!, two!], { ...running, addresses })
  expect(sends([one!, two!])).toBeNull()
  expect(sends([one!])).toBe('the machine may send from 192.0.2.1')
  expect(sends([two!, one!])).toBe('the machine may send from 192.0.2.2 192.0.2.1')
  expect(sends([])).toBe('the machine may send from nothing')
})

describe('resize', () => {
  const size = { cpuCores: 2, memoryMb: 2048, diskGb: 20 }
  const wanted = { ...size, bandwidthMbps: 100 }
  const small = { ...running, size: { cpuCores: 1, memoryMb: 1024, diskGb: 10 } }

  test.each<[string, Partial<Found>, string[]]>([
    ['that runs and comes back', {}, ['stopMachine', 'applySize', 'startMachine']],
    ['that its owner has stopped', { power: 'off', autostart: false }, ['applySize']],
    ['that was stopped for this', { power: 'off' }, ['applySize', 'startMachine']],
    ['whose power nobody knows', { power: 'unknown' }, ['stopMachine', 'applySize', 'startMachine']],
    ['that has its size and runs', { size }, []],
    ['that has its size and was stopped for this', { size, power: 'off' }, ['startMachine']],
    ['that has its size and is off for its owner', { size, power: 'off', autostart: false }, []],
    ['with a larger disk than was ordered: disks only grow', { size: { ...size, diskGb: 40 } }, []],
    ['with a smaller disk', { size: { ...size, diskGb: 19 } }, ['stopMachine', 'applySize', 'startMachine']],
    [
      'of which the disk is not known',
      { size: { ...size, diskGb: null } },
      ['stopMachine', 'applySize', 'startMachine'],
    ],
    ['with other memory', { size: { ...size, memoryMb: 2047 } }, ['stopMachine', 'applySize', 'startMachine']],
    ['with other processors', { size: { ...size, cpuCores: 3 } }, ['stopMachine', 'applySize', 'startMachine']],
    ['that has size and bandwidth', { size, bandwidthMbps: { inbound: 100, outbound: 100 } }, []],
    ['that was never limited', { size, bandwidthMbps: { inbound: 0, outbound: 0 } }, []],
    [
      'with another bandwidth',
      { size, bandwidthMbps: { inbound: 100, outbound: 50 } },
      ['stopMachine', 'applySize', 'startMachine'],
    ],
  ])('of a machine %s does what is needed', (_name, change, steps) => {
    expect([...planResize(wanted, { ...small, ...change })]).toEqual(steps)
  })

  test('back to a size whose disk was never written down leaves a disk that is not known as it is', () => {
    const unknown = { ...wanted, diskGb: null }
    expect([...planResize(unknown, { ...small, size: unknown })]).toEqual([])
    expect([...planResize(unknown, { ...small, size })]).toContain('applySize')
  })

  test('is done where the size is there and the power is as it was', () => {
    expect(checkResized(wanted, { ...running, size })).toBeNull()
    expect(checkResized(wanted, { ...running, size, power: 'off' })).toMatch(/machine is off/)
    expect(checkResized(wanted, { ...running, size, power: 'off', autostart: false })).toBeNull()
    expect(checkResized(wanted, { ...running, size, autostart: false })).toMatch(/machine is on/)
    expect(checkResized(wanted, small)).toMatch(/"memoryMb":1024/)
    expect(checkResized(wanted, running)).toMatch(/size null/)
    const slow = { ...running, size, bandwidthMbps: { inbound: 50, outbound: 100 } }
    expect(checkResized(wanted, slow)).toMatch(/"inbound":50/)
    expect(checkResized({ ...wanted, bandwidthMbps: null }, slow)).toBeNull()
  })
})

describe('redefine', () => {
  test.each<[string, boolean, Partial<Found>, string[] | null]>([
    ['always defines', false, { power: 'on' }, ['defineMachine']],
    ['starts what is to run', true, { power: 'off' }, ['defineMachine', 'startMachine']],
    ['starts what runs but would not come back', true, { autostart: false }, ['defineMachine', 'startMachine']],
    ['does not start what runs and comes back', true, {}, ['defineMachine']],
    ['is possible over the right one of two disks', false, { disks: [older, wanted] }, ['defineMachine']],
    ['is refused over another disk', false, { disks: [older] }, null],
    ['is refused without a disk', true, { disks: [] }, null],
    ['is refused where the name is taken', true, { nameTaken: true }, null],
  ])('%s', (_name, start, change, steps) => {
    const found = { ...running, ...change }
    const planned = planRedefine(diskToRedefine(wanted, found), start, found)
    expect(planned && [...planned]).toEqual(steps)
  })

  test.each<[string, number | undefined, Partial<Found>, Generation | null]>([
    ['of its definition, though another has come', older.number, { definedBy: older, disks: [older, wanted] }, older],
    ['of its definition, where that is the newer', older.number, { disks: [older, wanted] }, wanted],
    ['from before, where nothing tells which', older.number, { definedBy: null, disks: [wanted, older] }, older],
    ['from before, which alone is left', older.number, { definedBy: null, disks: [older] }, older],
    ['of the epoch before', undefined, { definedBy: null, disks: [{ ...wanted, epoch: 0 }] }, { ...wanted, epoch: 0 }],
    ['of no other generation', undefined, { definedBy: null, disks: [older] }, null],
  ])('is over the disk %s', (_name, earlierNumber, change, disk) => {
    expect(diskToRedefine({ ...wanted, earlierNumber }, { ...running, ...change })).toEqual(disk)
  })

  test('is done where the definition is the one that was made, and runs if it shall', () => {
    expect(checkRedefined(wanted, true, running)).toBeNull()
    expect(checkRedefined(wanted, false, { ...running, power: 'off' })).toBeNull()
    expect(checkRedefined(wanted, true, { ...running, power: 'off' })).toMatch(/machine is off/)
    expect(checkRedefined(wanted, false, { ...running, definedBy: older })).toMatch(/definition/)
    expect(checkRedefined(wanted, false, { ...running, definedBy: null })).toMatch(/definition/)
  })
})

describe('snapshots', () => {
  const held = found({ ...running, snapshots: ['one'] })
  const job = { snapshotId: 'one', jobId: 'job' }
  const whole = ['cutPower', 'revertDisk', 'startMachine', 'awaitBoot', 'proveLogin']

  test('one is taken once, and the guest thawed in any case', () => {
    expect([...planSnapshot('one', running)!]).toEqual(['takeSnapshot', 'thaw'])
    expect([...planSnapshot('one', held)!]).toEqual(['thaw'])
    expect(planSnapshot('one', nothingFound)).toBeNull()
  })

  test.each<[string, Found, string[] | null]>([
    ['of a running machine does everything', held, whole],
    ['of one that is off cuts nothing', { ...held, power: 'off' }, whole.slice(1)],
    ['of one that its owner stopped leaves it off', { ...held, power: 'off', autostart: false }, ['revertDisk']],
    ['that was done only waits', { ...held, revertedBy: 'job' }, ['awaitBoot', 'proveLogin']],
    ['that was done before the start starts', { ...held, power: 'off', revertedBy: 'job' }, whole.slice(2)],
    ['that was done needs no snapshot', { ...running, revertedBy: 'job' }, ['awaitBoot', 'proveLogin']],
    ['that another job did is done anew', { ...held, revertedBy: 'earlier' }, whole],
    ['to one that is not there is none', running, null],
  ])('a revert %s', (_what, there, steps) => {
    const planned = planRevert(job, there)
    expect(planned && [...planned]).toEqual(steps)
  })

  test('a revert must be seen, and the machine as it comes back by itself', () => {
    expect(checkReverted('job', held)).toBe('the disk was not taken back')
    expect(checkReverted('job', { ...held, revertedBy: 'job' })).toBeNull()
    expect(checkReverted('job', { ...held, revertedBy: 'job', power: 'off' })).toBe('the machine is off')
  })
})

describe('rescue', () => {
  const inside = { ...running, rescueId: 'this', rescues: ['this'] }
  const proof = ['awaitBoot', 'proveLogin', 'removeSeed']
  test.each<[string, Found, boolean, string[]]>([
    [
      'of a running machine',
      running,
      false,
      ['verifyImage', 'createRescue', 'stopMachine', 'enterRescue', 'startMachine', ...proof],
    ],
    [
      'of one that is off',
      { ...running, power: 'off' },
      false,
      ['verifyImage', 'createRescue', 'enterRescue', 'startMachine', ...proof],
    ],
    [
      'with its disk made',
      { ...running, rescues: ['this'] },
      true,
      ['stopMachine', 'enterRescue', 'startMachine', ...proof],
    ],
    ['that is entered, but not started', { ...inside, power: 'off' }, true, ['startMachine', ...proof]],
    ['that runs is only proven', inside, true, proof],
    [
      'whose host key nobody knows is made anew',
      inside,
      false,
      ['verifyImage', 'createRescue', 'stopMachine', 'enterRescue', 'startMachine', ...proof],
    ],
  ])('one %s', (_name, there, keyed, steps) => {
    expect([...(planEnterRescue('this', there, keyed) ?? [])].toSorted()).toEqual(steps.toSorted())
  })

  test.each<[string, Found, boolean, string[]]>([
    [
      'stops it and boots the disk',
      inside,
      true,
      ['stopMachine', 'leaveRescue', 'startMachine', 'awaitBoot', 'proveLogin'],
    ],
    ['that was done already only looks for a login', running, true, ['awaitBoot', 'proveLogin']],
    ['for a machine that must be off leaves it off', inside, false, ['stopMachine', 'leaveRescue']],
    [
      'for one that is off and stays so does that alone',
      { ...inside, power: 'off', autostart: false },
      false,
      ['leaveRescue'],
    ],
    [
      'for one that is off and would come back keeps it from that',
      { ...running, power: 'off' },
      false,
      ['stopMachine'],
    ],
    ['for one that runs and must be off stops it', { ...running, autostart: false }, false, ['stopMachine']],
    [
      'for one that is off in it starts it without a stop',
      { ...inside, power: 'off' },
      true,
      ['leaveRescue', 'startMachine', 'awaitBoot', 'proveLogin'],
    ],
    [
      'takes a disk away that was left',
      { ...running, rescues: ['this'] },
      true,
      ['leaveRescue', 'awaitBoot', 'proveLogin'],
    ],
    [
      'that was done before the start starts',
      { ...running, power: 'off' },
      true,
      ['startMachine', 'awaitBoot', 'proveLogin'],
    ],
    [
      'for one that runs and would not come back sees to that',
      { ...running, autostart: false },
      true,
      ['startMachine', 'awaitBoot', 'proveLogin'],
    ],
  ])('leaving %s', (_name, there, start, steps) => {
    expect([...(planLeaveRescue(start, there) ?? [])]).toEqual(steps)
  })

  test('nothing is planned without a machine, and what does not hold is said', () => {
    expect([planEnterRescue('this', nothingFound, false), planLeaveRescue(true, nothingFound)]).toEqual([null, null])
    expect([checkInRescue('this', inside), checkInRescue('other', inside)]).toEqual([
      null,
      'the definition is not that of the rescue',
    ])
    expect([checkRescueLeft(true, running), checkRescueLeft(false, running), checkRescueLeft(true, inside)]).toEqual([
      null,
      'the machine is on',
      'something of the rescue is left',
    ])
    expect(checkRescueLeft(true, { ...running, rescues: ['this'] })).toBe('something of the rescue is left')
    expect(checkRescueLeft(true, { ...running, rescueId: 'this' })).toBe('something of the rescue is left')
    expect(checkRescueLeft(false, { ...running, power: 'off' })).toBeNull()
  })
})
