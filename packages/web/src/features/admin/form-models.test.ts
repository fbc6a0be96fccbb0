import { imageInput } from '@vps/shared/images.contract'
import { poolInput, updatePoolInput } from '@vps/shared/pools.contract'
import { dedicatedServerInput } from '@vps/shared/servers.contract'
import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import { group, host, image, pool, priceGroup, server } from '../../testing/operators-things'
import { id } from '../../testing/things'
import * as hosts from './hosts/host-form'
import * as images from './images/image-form'
import * as pools from './ip-pools/pool-form'
import * as discounts from './price-groups/discount-form'
import * as servers from './servers/server-form'
import * as adjustments from './users/adjust-form'

describe('the form of a pool', () => {
  test('asks of shared addresses for the outside one, its ports and a gateway; of IPv6 for none of them', () => {
    const nat = { address: '203.0.113.7', firstPort: 20_000, ports: 20 }
    const shared = { ...pools.empty, name: 'NAT', network: '10.1.2.0/24', gateway: '10.1.2.1', kind: 'nat' as const }
    expect(pools.faultsOf({ ...shared, gateway: '' }, null)).toEqual({
      gateway: text.required,
      'nat.address': text.badIpAddress,
    })
    expect(pools.faultsOf({ ...shared, nat: { ...nat, firstPort: 80, ports: 0 } }, null)).toEqual({
      'nat.firstPort': '端口需为1024-65535的整数',
      'nat.ports': '每个地址的端口数需为1-1000的整数',
    })
    expect(poolInput.parse(pools.inputOf({ ...shared, nat }))).toMatchObject({ nat })
    expect(pools.inputOf({ ...shared, network: '2001:db8::/64', nat }).nat).toBeNull()
  })

  const filled = { ...pools.empty, name: '备用', network: '10.1.2.0/24' }

  test('wants a name and a network, and nothing else', () => {
    expect(pools.faultsOf(pools.empty, null)).toEqual({ name: text.required, network: text.badNetwork })
    expect(pools.faultsOf(filled, null)).toEqual({})
    expect(pools.inputOf(filled).nat).toBeNull()
    expect(poolInput.parse(pools.inputOf(filled))).toMatchObject({
      name: '备用',
      network: '10.1.2.0/24',
      firstAddress: null,
      lastAddress: null,
      gateway: null,
      dns: [],
      bridge: null,
    })
  })

  test.each(['1.1.1.1，8.8.8.8', '1.1.1.1,8.8.8.8', '1.1.1.1、 8.8.8.8', ' 1.1.1.1  8.8.8.8 ', '1.1.1.1,,8.8.8.8,'])(
    'reads two servers from what people write: %s',
    (dns) => {
      expect(pools.inputOf({ ...filled, dns }).dns).toEqual(['1.1.1.1', '8.8.8.8'])
    },
  )

  test('tells a bad server among several, or one too many, at the one field that they share', () => {
    const said = { dns: 'IP地址格式不正确，最多 4 个' }
    expect(pools.faultsOf({ ...filled, dns: '1.1.1.1，dns.example.com' }, null)).toEqual(said)
    expect(pools.faultsOf({ ...filled, dns: '1.1.1.1 1.1.1.2 1.1.1.3 1.1.1.4 1.1.1.5' }, null)).toEqual(said)
    expect(pools.faultsOf({ ...filled, dns: '1.1.1.1 1.1.1.2 1.1.1.3 1.1.1.4' }, null)).toEqual({})
  })

  test('keeps what else is wrong beside a bad server', () => {
    const faults = pools.faultsOf({ ...filled, gateway: 'gate', bridge: 'br 1', dns: 'x' }, null)
    expect(Object.keys(faults).toSorted()).toEqual(['bridge', 'dns', 'gateway'])
  })

  test('gives a pool back as it was, and sends of an edited one only what may change', () => {
    const values = pools.valuesOf({ ...pool, dns: ['1.1.1.1', '8.8.8.8'], firstAddress: '203.0.113.9' })
    expect(values).toMatchObject({ dns: '1.1.1.1，8.8.8.8', firstAddress: '203.0.113.9', bridge: '', version: 1 })
    expect(pools.faultsOf(values, pool)).toEqual({})
    const sent = { ...pools.settingsOf(values), id: pool.id, version: values.version }
    expect(updatePoolInput.parse(sent)).toMatchObject({ gateway: pool.gateway, dns: ['1.1.1.1', '8.8.8.8'] })
    expect(sent).not.toHaveProperty('network')
  })

  test('of a pool that is edited says nothing of a network that it does not send', () => {
    expect(pools.faultsOf({ ...pools.valuesOf(pool), network: 'nonsense' }, pool)).toEqual({})
  })
})

describe('the form of a dedicated server', () => {
  const filled = {
    ...servers.empty,
    groupId: group.id,
    ip: '198.51.100.78',
    password: 'Geheim-123',
    operatingSystem: 'Debian 12',
    cpuCores: 2,
    memory: 4,
    diskSpace: 40,
  }

  test('says of an empty one at every required field that it is missing', () => {
    expect(servers.faultsOfNew(servers.empty)).toEqual({
      groupId: text.groupRequired,
      ip: text.required,
      password: text.required,
      operatingSystem: text.required,
      cpuCores: text.required,
      memory: text.required,
      diskSpace: text.required,
    })
  })

  test('is accepted by the contract as it is filled in', () => {
    expect(servers.faultsOfNew(filled)).toEqual({})
    expect(dedicatedServerInput.parse(filled)).toMatchObject({ port: 22, username: 'root', diskType: 'SSD' })
  })

  test('wants a password of a machine that is entered, not of one that is edited', () => {
    const blank = { ...filled, password: '' }
    expect(servers.faultsOfNew(blank)).toEqual({ password: text.required })
    expect(servers.faultsOfEdited(blank)).toEqual({})
  })

  test('never gives a password back, and sends none where none was typed', () => {
    const values = servers.valuesOf(server)
    expect(values.password).toBe('')
    expect(servers.changeOf(values, server)).not.toHaveProperty('password')
    expect(servers.changeOf({ ...values, password: 'Neues-Wort-9' }, server)).toHaveProperty('password', 'Neues-Wort-9')
  })

  test('says that a machine is sold only where that was changed: said again it would end its cleaning', () => {
    const values = servers.valuesOf({ ...server, isSold: true })
    expect(servers.changeOf(values, { isSold: true })).not.toHaveProperty('isSold')
    expect(servers.changeOf({ ...values, isSold: false }, { isSold: true })).toHaveProperty('isSold', false)
    expect(servers.changeOf(values, { isSold: false })).toHaveProperty('isSold', true)
  })

  test('shows blanks for what a machine does not have', () => {
    const bare = servers.valuesOf({ ...server, ip: null, operatingSystem: null })
    expect([bare.ip, bare.operatingSystem]).toEqual(['', ''])
  })

  test('is compared in the words of the form: groups by their name, a state by its word, never the password', () => {
    const compared = servers.comparedOf([{ value: group.id, text: '云服务器 / 香港 CN2' }])
    const shown = (name: string) => compared.find((field) => field.name === name)
    expect(shown('groupId')).toBeDefined()
    expect(compared.flatMap((field) => (field.name === 'groupId' ? [field.show?.(group.id)] : []))).toEqual([
      '云服务器 / 香港 CN2',
    ])
    expect(compared.flatMap((field) => (field.name === 'groupId' ? [field.show?.(id(9))] : []))).toEqual([id(9)])
    expect(shown('password')).toBeUndefined()
  })
})

describe('the form of a host', () => {
  test('wants a name; its blank bridge is the agent’s own', () => {
    expect(hosts.faultsOf(hosts.empty)).toEqual({ name: text.required })
    expect(hosts.faultsOf({ ...hosts.empty, name: 'hk-2', bridge: '  ' })).toEqual({})
    expect(hosts.faultsOf({ ...hosts.empty, name: 'hk-2', bridge: 'vlan 120' })).toHaveProperty('bridge')
  })

  test('says of a number that was emptied that it is missing, and of one out of range which it may be', () => {
    const named = { ...hosts.empty, name: 'hk-2' }
    expect(hosts.faultsOf({ ...named, cpuOvercommit: Number.NaN, reservedMemoryMb: Number.NaN })).toEqual({
      cpuOvercommit: text.required,
      reservedMemoryMb: text.required,
    })
    for (const cpuOvercommit of [0.5, 17])
      expect(hosts.faultsOf({ ...named, cpuOvercommit })).toEqual({ cpuOvercommit: text.badOvercommit })
    expect(hosts.faultsOf({ ...named, reservedMemoryMb: -1 })).toEqual({ reservedMemoryMb: '需为0或更大的整数' })
  })

  test('gives a host back with the groups and pools that it has', () => {
    const values = hosts.valuesOf(host)
    expect(values).toMatchObject({ groupIds: [group.id], poolIds: [pool.id], version: host.version })
    expect(hosts.faultsOf(values)).toEqual({})
  })

  test('is compared by the names of groups and pools; one that is gone keeps its id, none is said', () => {
    const compared = hosts.comparedOf([{ value: group.id, text: '香港' }], [pool])
    const shown = (name: 'groupIds' | 'poolIds', ids: string[]) =>
      compared.flatMap((field) => (field.name === name ? [field.show?.(ids)] : []))[0]
    expect(shown('groupIds', [group.id, id(9)])).toBe(`香港、${id(9)}`)
    expect(shown('poolIds', [pool.id])).toBe(pool.name)
    expect(shown('poolIds', [])).toBe('无')
  })
})

describe('the form of an image', () => {
  const sha256 = 'a'.repeat(64)
  const filled = { ...images.empty, osName: 'Debian', osVersion: '13', file: 'debian-13.qcow2' }

  test('wants a system, a version and a file', () => {
    expect(images.faultsOf(images.empty)).toEqual({
      osName: text.required,
      osVersion: text.required,
      file: text.required,
    })
    expect(images.faultsOf(filled)).toEqual({})
    expect(imageInput.parse(filled)).toMatchObject({ url: null, sha256: null, readiness: 'ssh', username: 'root' })
  })

  test('wants a checksum of what is fetched', () => {
    const fetched = { ...filled, url: 'https://mirror.example.com/debian-13.qcow2' }
    expect(images.faultsOf(fetched)).toEqual({ sha256: '使用下载地址时必须填写 SHA-256 校验和' })
    expect(images.faultsOf({ ...fetched, sha256 })).toEqual({})
  })

  test.each([
    ['a file that is not fetched', { url: '', file: 'other.img', sha256 }, false],
    ['an address of blanks', { url: '  ', file: 'other.img', sha256 }, false],
    ['only another address', { url: 'https://b.example.com/x', file: image.file, sha256 }, false],
    ['another file', { url: 'https://a.example.com/x', file: 'other.img', sha256 }, true],
    ['another checksum', { url: 'https://a.example.com/x', file: image.file, sha256: 'b'.repeat(64) }, true],
    ['a checksum that is taken away', { url: 'https://a.example.com/x', file: image.file, sha256: '' }, true],
  ])('tells whether hosts fetch anew: %s', (_what, values, anew) => {
    expect(images.fetchedAnew(values, { ...image, sha256 })).toBe(anew)
    expect(images.fetchedAnew(values, null)).toBe(false)
  })

  test('of an image without a checksum does not take a blank one for another', () => {
    expect(images.fetchedAnew({ url: 'https://a.example.com/x', file: image.file, sha256: '' }, image)).toBe(false)
  })

  test('of a disc is not held up by what was typed in fields that it does not show', () => {
    const disc = { ...filled, kind: 'iso' as const, file: 'debian-13.iso' }
    const typed = { ...disc, username: 'Root User', minDiskGb: Number.NaN }
    expect(images.faultsOf({ ...typed, kind: 'system', file: filled.file })).toHaveProperty('minDiskGb')
    expect(images.faultsOf(typed)).toEqual({})
    expect(imageInput.parse(images.inputOf(typed))).toMatchObject({ kind: 'iso', username: 'root' })
  })

  test('gives an image back as it was', () => {
    expect(images.faultsOf(images.valuesOf(image))).toEqual({})
    expect(imageInput.parse(images.valuesOf(image))).toMatchObject({ file: image.file, url: null, version: 1 })
  })
})

describe('the form of a discount', () => {
  const now = new Date('2026-11-20T04:00:00Z')
  const plain = priceGroup()
  const values = { discountPercentage: 15, startTime: '', endTime: '' }

  test('wants a percentage above 0 and up to 100', () => {
    expect(discounts.faultsOf(plain, values, now)).toEqual({})
    expect(discounts.faultsOf(plain, { ...values, discountPercentage: null }, now)).toHaveProperty('discountPercentage')
    expect(discounts.faultsOf(plain, { ...values, discountPercentage: 0 }, now)).toEqual({
      discountPercentage: '折扣必须大于0',
    })
    expect(discounts.faultsOf(plain, { ...values, discountPercentage: 101 }, now)).toEqual({
      discountPercentage: '折扣不能超过100',
    })
  })

  test('tells at its own fields which days cannot be', () => {
    expect(discounts.faultsOf(plain, { ...values, startTime: '2026-11-20' }, now)).toEqual({
      startTime: '开始日期必须晚于今天',
    })
    const turned = { ...values, startTime: '2026-11-25', endTime: '2026-11-22' }
    expect(discounts.faultsOf(plain, turned, now)).toEqual({ endTime: '结束日期不能早于开始日期' })
    expect(discounts.faultsOf(plain, { ...turned, endTime: '2026-11-25' }, now)).toEqual({})
  })

  test('counts today in Shanghai, where it is already tomorrow', () => {
    const lateInUtc = new Date('2026-11-20T16:30:00Z')
    const from = (startTime: string) => discounts.faultsOf(plain, { ...values, startTime }, lateInUtc)
    expect(from('2026-11-21')).toEqual({ startTime: '开始日期必须晚于今天' })
    expect(from('2026-11-22')).toEqual({})
  })

  test('accepts an old day that was not touched, as the moment it was', () => {
    const old = { ...plain, discountStartTime: '2026-10-31T16:00:00.000Z' }
    const kept = { ...values, startTime: '2026-11-01' }
    expect(discounts.inputOf(old, kept)).toMatchObject({ startTime: old.discountStartTime, endTime: null })
    expect(discounts.faultsOf(old, kept, now)).toEqual({})
  })
})

describe('the form of an adjustment', () => {
  test.each([
    [Number.NaN, text.required],
    [0, text.amountZero],
    [12.345, text.amountDecimals],
    [1e12, text.amountOutOfRange],
    [-1e12, text.amountOutOfRange],
  ])('of %s says why not', (amount, said) => {
    expect(adjustments.faultsOf({ amount, reason: '补偿' })).toEqual({ amount: said })
  })

  test.each([0.01, -0.01, 12.5, -1000])('of %s may be sent, with a reason', (amount) => {
    expect(adjustments.faultsOf({ amount, reason: '补偿' })).toEqual({})
    expect(adjustments.faultsOf({ amount, reason: '  ' })).toEqual({ reason: text.reasonRequired })
  })

  test('counts a reason without the blanks around it, up to 200 characters', () => {
    expect(adjustments.faultsOf({ amount: 1, reason: `  ${'字'.repeat(200)}  ` })).toEqual({})
    expect(adjustments.faultsOf({ amount: 1, reason: '字'.repeat(201) })).toEqual({ reason: text.tooLong(200) })
  })
})
