import { expect, test } from 'vitest'
import { differences } from './differences.js'

const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`
const mac = '02:00:00:00:00:01'
const domain = (n: number, change: object = {}) => ({
  uuid: id(n),
  name: `vm-${n}`,
  power: 'on' as const,
  generation: { epoch: 0, number: 1 },
  macs: [mac],
  unreadable: null,
  size: { cpuCores: 2, memoryMb: 4096 },
  transient: false,
  ...change,
})
const place = (n: number, change: object = {}) => ({
  serverId: id(n),
  generation: 1,
  mac,
  cpuCores: 2,
  memoryMb: 4096,
  leastDiskGb: 40,
  mostDiskGb: 40,
  bandwidthMbps: 10,
  snapshots: [],
  rescueId: null,
  isoId: null,
  firewall: null,
  savedFirewall: 4,
  autostart: true,
  settled: true,
  ...change,
})
const kinds = (...input: Parameters<typeof differences>) =>
  differences(...input).map(({ kind, subject }) => [kind, subject])

test('what is there as it was made is no finding, nor what a job may be changing', () => {
  const disk = { name: `${id(1)}.0.1.qcow2`, bytes: 1 }
  expect(kinds({ domains: [domain(1)], volumes: [disk] }, [place(1)])).toEqual([])
  expect(kinds({ domains: [], volumes: [disk] }, [place(1, { settled: false })])).toEqual([])
  expect(kinds({ domains: [domain(1, { macs: [] })], volumes: [] }, [place(1, { settled: false })])).toEqual([])
})

test('a domain or a disk that no place explains is a stray; the disks of a stray domain go with it', () => {
  const found = {
    domains: [domain(1), domain(2)],
    volumes: [`${id(1)}.0.1.qcow2`, `${id(2)}.0.1.qcow2`, `${id(3)}.0.4.qcow2`, 'backup.qcow2'].map((name) => ({
      name,
      bytes: 1,
    })),
  }
  expect(kinds(found, [place(1)])).toEqual([
    ['stray-domain', id(2)],
    ['stray-volume', `${id(3)}.0.4.qcow2`],
    ['stray-volume', 'backup.qcow2'],
  ])
})

test('a settled server without its domain is missing; with another generation or MAC it was changed', () => {
  expect(kinds({ domains: [], volumes: [] }, [place(1)])).toEqual([['missing-domain', id(1)]])
  const older = domain(1, { generation: { epoch: 0, number: 2 } })
  expect(kinds({ domains: [older], volumes: [] }, [place(1)])).toEqual([['changed-domain', id(1)]])
  expect(kinds({ domains: [domain(1, { generation: null })], volumes: [] }, [place(1)])).toEqual([
    ['changed-domain', id(1)],
  ])
  expect(kinds({ domains: [domain(1, { macs: ['02:00:00:00:00:02'] })], volumes: [] }, [place(1)])).toEqual([
    ['changed-domain', id(1)],
  ])
})

test('a domain that cannot be read is a finding of its own and breaks nothing but itself', () => {
  const odd = { generation: null, macs: [], unreadable: 'no such element' }
  const found = { domains: [domain(1, odd), domain(2, odd), domain(3)], volumes: [] }
  expect(kinds(found, [place(1), place(3)])).toEqual([
    ['unreadable-domain', id(1)],
    ['unreadable-domain', id(2)],
  ])
})

test('a size and a name that were changed by hand are changes', () => {
  const larger = domain(1, { size: { cpuCores: 2, memoryMb: 8192 } })
  expect(kinds({ domains: [larger], volumes: [] }, [place(1)])).toEqual([['changed-domain', id(1)]])
  expect(kinds({ domains: [domain(1, { renamed: true })], volumes: [] }, [place(1)])).toEqual([
    ['changed-domain', id(1)],
  ])
  const taken = domain(1, { currentMemoryMb: 1024 })
  expect(kinds({ domains: [taken], volumes: [] }, [place(1)])).toEqual([['changed-domain', id(1)]])
  // An older agent does not tell the size.
  expect(kinds({ domains: [domain(1, { size: null })], volumes: [] }, [place(1)])).toEqual([])
})

test('a bandwidth, a disk size and an autostart that were changed by hand are each told, where the host can tell them', () => {
  const told = (change: object, expected: object = {}) =>
    kinds({ domains: [domain(1, change)], volumes: [] }, [place(1, expected)]).map(([kind]) => kind)
  const asMade = { bandwidthMbps: { inbound: 10, outbound: 10 }, diskGb: 40, autostart: true }
  expect(told(asMade)).toEqual([])
  expect(told({ bandwidthMbps: { inbound: 10, outbound: 0 } })).toEqual(['changed-domain'])
  expect(told({ diskGb: 41 })).toEqual(['changed-disk'])
  expect(told({ diskGb: 39 })).toEqual(['changed-disk'])
  expect(told({ diskMissing: true, otherDisk: '/elsewhere/disk.qcow2' })).toEqual(['changed-disk'])
  expect(told({ diskGb: 40, otherDisk: '/elsewhere/disk.qcow2' })).toEqual(['changed-disk'])
  expect(told({ autostart: false })).toEqual(['changed-autostart'])
  expect(told({ autostart: true }, { autostart: false })).toEqual(['changed-autostart'])
  expect(told({ diskGb: 60 }, { mostDiskGb: 60 })).toEqual([])
  expect(told({ autostart: false }, { autostart: null })).toEqual([])
})

test('a foreign domain with the name of one of ours is told with the server whose name it has', () => {
  const foreign = domain(7, { name: `vps-${id(1)}`, generation: null })
  expect(kinds({ domains: [domain(1), foreign], volumes: [] }, [place(1)])).toEqual([['foreign-domain', id(1)]])
})

test('a machine that runs without its definition is a finding before it is gone', () => {
  expect(kinds({ domains: [domain(1, { transient: true })], volumes: [] }, [place(1)])).toEqual([
    ['transient-domain', id(1)],
  ])
})

test('snapshots are held against those that were told as made; of others it is not known whether they are there', () => {
  const rows = [
    { id: 'made', isMade: true },
    { id: 'failed', isMade: false },
  ]
  const seen = (snapshots: string[] | undefined) =>
    differences({ domains: [domain(1, snapshots ? { snapshots } : {})], volumes: [] }, [place(1, { snapshots: rows })])
  expect(seen(['made'])).toEqual([])
  expect(seen(['made', 'failed'])).toEqual([])
  // An older agent tells nothing of them.
  expect(seen(undefined)).toEqual([])
  expect(seen(['stranger'])).toMatchObject([
    { kind: 'changed-snapshots', subject: id(1), details: { missing: ['made'], unknown: ['stranger'] } },
  ])
})

test('a machine is in the rescue that its row says, or in none', () => {
  const seen = (told: string | null | undefined, rescueId: string | null) =>
    differences({ domains: [domain(1, told === undefined ? {} : { rescueId: told })], volumes: [] }, [
      place(1, { rescueId }),
    ]).map(({ kind, details }) => [kind, details])
  expect([...seen(null, null), ...seen('this', 'this'), ...seen(undefined, 'this')]).toEqual([])
  expect(seen(null, 'this')).toEqual([['changed-rescue', { rescueId: null, expected: 'this' }]])
  expect(seen('other', null)).toEqual([['changed-rescue', { rescueId: 'other', expected: null }]])
})

test('a machine has the firewall that its host once told to hold, or a newer one, but none that was never saved', () => {
  const seen = (told: number | undefined, firewall: number | null) =>
    differences({ domains: [domain(1, told === undefined ? {} : { firewall: told })], volumes: [] }, [
      place(1, { firewall }),
    ]).map(({ kind, details }) => [kind, details])
  expect([...seen(undefined, null), ...seen(3, null), ...seen(3, 3), ...seen(4, 3)]).toEqual([])
  expect(seen(undefined, 3)).toEqual([['changed-firewall', { firewall: 0, expected: 3 }]])
  expect(seen(2, 3)).toEqual([['changed-firewall', { firewall: 2, expected: 3 }]])
  expect(seen(5, 3)).toEqual([['changed-firewall', { firewall: 5, expected: 3 }]])
  expect(seen(5, null)).toEqual([['changed-firewall', { firewall: 5, expected: 0 }]])
})

test('a machine has the disc in its drive that its row says, or none', () => {
  const seen = (told: string | null | undefined, isoId: string | null) =>
    differences({ domains: [domain(1, told === undefined ? {} : { isoId: told })], volumes: [] }, [
      place(1, { isoId }),
    ]).map(({ kind, details }) => [kind, details])
  expect([...seen(null, null), ...seen('this', 'this'), ...seen(undefined, 'this')]).toEqual([])
  expect(seen(null, 'this')).toEqual([['changed-iso', { isoId: null, expected: 'this' }]])
  expect(seen('other', null)).toEqual([['changed-iso', { isoId: 'other', expected: null }]])
})
