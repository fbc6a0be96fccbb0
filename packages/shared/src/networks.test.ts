import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loopback, mayReach, parseNetwork } from './networks.js'

const inside =
  `127.0.0.1 127.255.255.254 0.0.0.0 10.1.2.3 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 224.0.0.1
  255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe fe80::1 fe80::1%eth0 fec0::1 fc00::1 fdff::1 ff02::1
  64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1 2002:7f00:1:: 2002:c0a8:101::1`.split(/\s+/)
const outside =
  `1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.1 100.128.0.1 192.167.255.255 203.0.113.10 223.255.255.255 2606:4700::1111
  ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2001:db8::1`.split(/\s+/)

test('internal addresses are not reached, however they are written; those of the internet are', () => {
  expect(inside.filter((address) => mayReach(address, []))).toEqual([])
  expect(outside.filter((address) => !mayReach(address, []))).toEqual([])
})

test('an allowed network opens itself and nothing else', () => {
  expect(mayReach('10.20.1.1', [parseNetwork('10.20.0.0/16')!])).toBe(true)
  expect(mayReach('10.21.1.1', [parseNetwork('10.20.0.0/16')!])).toBe(false)
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].every((address) => mayReach(address, loopback))).toBe(true)
  expect(mayReach('fd00::1', [parseNetwork('fd00::/8')!])).toBe(true)
  expect(mayReach('10.0.0.7', [parseNetwork('10.0.0.7')!])).toBe(true)
})

test('what is no address is never reached, and what is no network is none', () => {
  for (const text of [
    '',
    'localhost',
    '1.2.3',
    '1.2.3.256',
    '1::2::3',
    ':::',
    '12345::',
    '1:2:3:4:5:6:7:8:9',
    '0x7f.1',
  ])
    expect([text, mayReach(text, loopback)]).toEqual([text, false])
  for (const text of ['', '10.0.0.0/33', '10.0.0.0/x', 'fd00::/129', '10.0.0/8']) expect(parseNetwork(text)).toBeNull()
})

test('whatever Node takes for an address is read as one', () => {
  const everything = [parseNetwork('::/0')!]
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
      expect(mayReach(text, everything)).toBe(isIP(text) !== 0)
    }),
  )
})
