import { describe, expect, test } from 'vitest'
import { reverseDnsInput, setReverseNameInput } from './reverse-names.contract.js'
import { placeOfReverseName, readHostName, readReverseZone, reverseNameOf, reverseNameState } from './reverse-names.js'

test('a host name is whole, of letters, digits and hyphens, and is written in one way', () => {
  expect(readHostName(' Mail.Example.COM. ')).toBe('mail.example.com')
  expect(readHostName('xn--fiqs8s.example')).toBe('xn--fiqs8s.example')
  expect(readHostName(`${'a'.repeat(63)}.example.com`)).toBe(`${'a'.repeat(63)}.example.com`)
  const bad = ['mail', '', 'a..b', '-a.example', 'a-.example', 'a_b.example', '邮件.example', '10.0.0.1', 'a b.example']
  for (const typed of [...bad, `${'a'.repeat(64)}.example.com`, `${'a.'.repeat(130)}com`])
    expect(readHostName(typed), typed).toBeNull()
})

test('an address is asked for by its digits from the last', () => {
  expect(reverseNameOf('192.0.2.5')).toBe('5.2.0.192.in-addr.arpa')
  expect(reverseNameOf('2001:db8::567:89ab')).toBe(
    'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  )
})

describe('a zone', () => {
  test('is of either family, and of part of a network by its length or its ends', () => {
    for (const zone of [
      '2.0.192.in-addr.arpa',
      '10.in-addr.arpa',
      '8.b.d.0.1.0.0.2.ip6.arpa',
      '0/26.2.0.192.in-addr.arpa',
      '64-127.2.0.192.in-addr.arpa',
    ])
      expect(readReverseZone(`${zone.toUpperCase()}.`)).toBe(zone)
    for (const zone of [
      'example.com',
      'in-addr.arpa',
      '256.in-addr.arpa',
      '1.2.3.4.5.in-addr.arpa',
      'g.ip6.arpa',
      '0/26.0.192.in-addr.arpa',
      '192/25.2.0.192.in-addr.arpa',
      '9-3.2.0.192.in-addr.arpa',
    ])
      expect(readReverseZone(zone), zone).toBeNull()
  })

  test('that holds an address is the narrowest, and no other address is in it', () => {
    const zones = [
      '192.in-addr.arpa',
      '2.0.192.in-addr.arpa',
      '0/26.2.0.192.in-addr.arpa',
      '64-127.2.0.192.in-addr.arpa',
    ]
    const placeOf = (address: string) => placeOfReverseName(address, zones)
    expect(placeOf('192.0.2.5')).toEqual({
      zone: '0/26.2.0.192.in-addr.arpa',
      name: '5.0/26.2.0.192.in-addr.arpa',
    })
    expect(placeOf('192.0.2.64')).toMatchObject({ name: '64.64-127.2.0.192.in-addr.arpa' })
    expect(placeOf('192.0.2.128')).toEqual({ zone: '2.0.192.in-addr.arpa', name: '128.2.0.192.in-addr.arpa' })
    expect(placeOf('192.0.22.5')).toMatchObject({ zone: '192.in-addr.arpa' })
    expect(placeOf('19.0.2.5')).toBeNull()
    expect(placeOf('2001:db8::1')).toBeNull()
    expect(placeOfReverseName('2001:db8::1', ['8.b.d.0.1.0.0.2.ip6.arpa'])).toMatchObject({
      zone: '8.b.d.0.1.0.0.2.ip6.arpa',
    })
  })
})

test('what is wanted waits until it is written, and has failed once a try was', () => {
  const row = { wanted: 'a.example', written: null, isDue: true, error: null }
  expect(reverseNameState(row)).toBe('WAITING')
  expect(reverseNameState({ ...row, error: 'away' })).toBe('FAILED')
  expect(reverseNameState({ ...row, written: 'a.example', isDue: false })).toBe('WRITTEN')
  expect(reverseNameState({ ...row, wanted: null, isDue: false })).toBe('NONE')
})

test('an empty name removes one; what is none is refused with a sentence', () => {
  const read = (name: unknown) => setReverseNameInput.safeParse({ address: '192.0.2.5', name })
  expect(read('').data?.name).toBeNull()
  expect(read(null).data?.name).toBeNull()
  expect(read('A.example.').data?.name).toBe('a.example')
  expect(read('a').error?.issues.map(({ path }) => path)).toEqual([['name']])
})

test('the name server’s address carries no key and ends without a slash; zones are each there once', () => {
  const input = { url: 'http://10.0.0.2:8081/', key: ' k ', zones: ['2.0.192.IN-ADDR.arpa.'], version: 0 }
  expect(reverseDnsInput.parse({ ...input, zones: [...input.zones, ...input.zones] })).toEqual({
    url: 'http://10.0.0.2:8081',
    key: 'k',
    zones: ['2.0.192.in-addr.arpa'],
    mustResolve: false,
    version: 0,
  })
  for (const url of ['http://k@10.0.0.2', 'http://10.0.0.2/?key=k', 'ftp://10.0.0.2', 'http://', 'http://[::1'])
    expect(reverseDnsInput.safeParse({ ...input, url }).success, url).toBe(false)
  expect(reverseDnsInput.safeParse({ ...input, zones: [] }).success).toBe(false)
  expect(reverseDnsInput.safeParse({ ...input, zones: ['example.com'] }).error?.issues[0]?.path).toEqual(['zones', 0])
})
