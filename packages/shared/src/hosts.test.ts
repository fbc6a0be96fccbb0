import { describe, expect, test } from 'vitest'
import {
  canMoveHost,
  fits,
  hostMoves,
  hostStatuses,
  hostsFor,
  placesLeft,
  placesOn,
  runsOut,
  type HostRoom,
} from './hosts.js'
import { imageInput } from './images.contract.js'
import { publicUrl } from './images.js'

const place = (...wanted: Parameters<typeof hostsFor>) => hostsFor(...wanted)[0] ?? null
const spec = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 2 }
const host: HostRoom = {
  id: 'a',
  status: 'READY',
  silentSeconds: 3,
  cpuRoom: 2,
  memoryRoomMb: 4096,
  diskRoomGb: 40,
  freeAddresses: 2,
  images: ['debian-12.qcow2'],
  sameCustomer: 0,
}

test('a host takes a server only when everything that it needs is there', () => {
  expect(fits(host, spec, 'debian-12.qcow2')).toBe(true)
  const lacking: Partial<HostRoom>[] = [
    { status: 'DRAINING' },
    { silentSeconds: null },
    { silentSeconds: 61 },
    { cpuRoom: 1 },
    { memoryRoomMb: 4095 },
    { diskRoomGb: 39 },
    { freeAddresses: 1 },
    { images: [] },
  ]
  for (const lack of lacking)
    expect(fits({ ...host, ...lack }, spec, 'debian-12.qcow2'), JSON.stringify(lack)).toBe(false)
})

test('a host that was heard a minute ago is alive, and takes as many as the scarcest thing allows', () => {
  expect(fits({ ...host, silentSeconds: 60 }, spec, 'debian-12.qcow2')).toBe(true)
  const large = { ...host, cpuRoom: 20, memoryRoomMb: 40 * 1024, diskRoomGb: 400, freeAddresses: 20 }
  const places = (change: Partial<HostRoom>) => placesOn({ ...large, ...change }, spec, 'debian-12.qcow2')
  expect([
    places({}),
    places({ cpuRoom: 7 }),
    places({ memoryRoomMb: 9 * 1024 }),
    places({ diskRoomGb: 199 }),
    places({ freeAddresses: 13 }),
    places({ status: 'DRAINING' }),
  ]).toEqual([10, 3, 2, 4, 6, 0])
})

test('by hand a host is moved as the table says; none comes back from being lost or retired', () => {
  const moves = hostStatuses.flatMap((from) =>
    hostStatuses.filter((to) => canMoveHost(from, to)).map((to) => `${from} -> ${to}`),
  )
  expect(moves.toSorted()).toEqual(hostMoves.map(({ from, to }) => `${from} -> ${to}`).toSorted())
  expect(hostStatuses.filter((to) => canMoveHost('LOST', to))).toEqual(['RETIRED'])
  expect(hostStatuses.filter((to) => canMoveHost('RETIRED', to))).toEqual([])
})

test('the host with the most memory left is chosen, the same one everywhere, and none that was tried', () => {
  const hosts = [host, { ...host, id: 'c', memoryRoomMb: 8192 }, { ...host, id: 'b', memoryRoomMb: 8192 }]
  expect(place(hosts, spec, null)?.id).toBe('b')
  expect(place(hosts.toReversed(), spec, null)?.id).toBe('b')
  expect(place(hosts, spec, null, { avoid: ['b'] })?.id).toBe('c')
  expect(hostsFor(hosts, spec, null, { avoid: ['a', 'b', 'c'] })).toEqual([])
})

test('a group may fill one host before the next, and never puts a customer’s servers together while another host has room', () => {
  const hosts = [host, { ...host, id: 'b', memoryRoomMb: 8192 }]
  expect(place(hosts, spec, null, { strategy: 'pack' })?.id).toBe('a')
  expect(place(hosts, spec, null, { strategy: 'spread' })?.id).toBe('b')
  const crowded = [
    { ...host, sameCustomer: 1 },
    { ...host, id: 'b', memoryRoomMb: 8192 },
  ]
  expect(place(crowded, spec, null, { strategy: 'pack' })?.id).toBe('b')
  expect(place(crowded, spec, null, { avoid: ['b'] })?.id).toBe('a')
  expect(hostsFor(crowded, spec, null)).toHaveLength(1)
})

test('an address is shown without its user, password, query and fragment', () => {
  for (const [url, shown] of [
    ['https://mirror.example.com/debian.qcow2', 'https://mirror.example.com/debian.qcow2'],
    ['https://mirror.example.com/a.qcow2?X-Signature=geheim', 'https://mirror.example.com/a.qcow2?…'],
    ['http://me:geheim@mirror.example.com:8080/a.img', 'http://mirror.example.com:8080/a.img'],
    ['http://me:ge@heim@mirror.example.com/a@b.img#geheim', 'http://mirror.example.com/a@b.img?…'],
    ['http://mirror.example.com?geheim', 'http://mirror.example.com?…'],
  ] as const)
    expect(publicUrl(url)).toBe(shown)
})

test('an image comes by http or https and then with a checksum; blanks are nothing', () => {
  const image = { osName: 'Debian', osVersion: '13', file: 'debian-13.qcow2' }
  expect(imageInput.parse({ ...image, url: ' ', sha256: '' })).toMatchObject({ url: null, sha256: null })
  const sha256 = 'A'.repeat(64)
  expect(imageInput.parse({ ...image, url: 'HTTPS://example.com/a', sha256 })).toMatchObject({ sha256: 'a'.repeat(64) })
  for (const url of ['file:///etc/passwd', 'ftp://a/b', 'https:/a', 'javascript:alert(1)', '/a.img', 'https://'])
    expect(imageInput.safeParse({ ...image, url, sha256 }).success, url).toBe(false)
  expect(imageInput.safeParse({ ...image, url: 'https://example.com/a' }).error?.issues).toMatchObject([
    { path: ['sha256'] },
  ])
})

describe('what is left of a host', () => {
  const room = { cpuRoom: 10, memoryRoomMb: 9 * 1024, diskRoomGb: 400, freeAddresses: 3 }

  test('is as many servers as the scarcest thing allows, and never fewer than none', () => {
    expect(placesLeft({ ...room, freeAddresses: 6 }, spec)).toBe(2)
    expect(placesLeft({ ...room, memoryRoomMb: 64 * 1024 }, spec)).toBe(1)
    expect(placesLeft({ ...room, memoryRoomMb: 64 * 1024, freeAddresses: 12 }, spec)).toBe(5)
    expect(placesLeft({ ...room, memoryRoomMb: 64 * 1024, freeAddresses: 12, diskRoomGb: 90 }, spec)).toBe(2)
    expect(placesLeft({ ...room, cpuRoom: -1 }, spec)).toBe(0)
  })

  test('runs out first where it grows fastest for its room, in the days that the last thirty foretell', () => {
    expect(runsOut(room, { servers: 2, cpuCores: 2, memoryMb: 6 * 1024, diskGb: 40 })).toEqual({
      of: 'memory',
      days: 45,
    })
    expect(runsOut(room, { servers: 1, cpuCores: 20, memoryMb: 0, diskGb: -10 })).toEqual({ of: 'cpu', days: 15 })
    expect(runsOut({ ...room, diskRoomGb: -5 }, { servers: 1, cpuCores: 0, memoryMb: 0, diskGb: 1 })).toEqual({
      of: 'disk',
      days: 0,
    })
  })

  test('does not run out where nothing of it grows', () => {
    expect(runsOut(room, { servers: 0, cpuCores: 0, memoryMb: 0, diskGb: 0 })).toBeNull()
    expect(runsOut(room, { servers: -1, cpuCores: -2, memoryMb: -4096, diskGb: -40 })).toBeNull()
  })
})
