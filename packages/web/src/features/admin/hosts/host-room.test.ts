import { expect, test } from 'vitest'
import { host } from '../../../testing/operators-things'
import { forecastOf, placesOn } from './host-room'

const none = { servers: 0, cpuCores: 0, memoryMb: 0, diskGb: 0 }

test('a host has room for as many usual servers as its scarcest kind', () => {
  expect(placesOn(host)).toBe(11)
  expect(placesOn({ ...host, addresses: { used: 4, free: 3 } })).toBe(3)
  expect(placesOn({ ...host, diskGb: 300 })).toBe(0)
})

test('the forecast says what it rests on, what runs out first and when', () => {
  expect(forecastOf(host, { servers: 3, cpuCores: 6, memoryMb: 23_552, diskGb: 60 })).toBe(
    '近 30 天净增 3 台服务器（CPU +6 核，内存 +23 GB，磁盘 +60 GB），照此下去，内存约 60 天后最先放满。',
  )
  expect(forecastOf({ ...host, usedDiskGb: 1000 }, { ...none, servers: 1, diskGb: 40 })).toBe(
    '近 30 天净增 1 台服务器（CPU +0 核，内存 +0 GB，磁盘 +40 GB），磁盘已放满。',
  )
})

test('the forecast of what does not fill up names no day, and of what was not watched says that alone', () => {
  expect(forecastOf(host, { ...none, servers: -1, memoryMb: -4096 })).toBe(
    '近 30 天净减 1 台服务器（CPU +0 核，内存 −4 GB，磁盘 +0 GB），照此下去不会放满。',
  )
  expect(forecastOf(host, { ...none, servers: 1, diskGb: 40 })).toMatch(/照此下去，一年内不会放满。$/)
  expect(forecastOf(host, null)).toBe('接入不满 30 天，还不能估计。')
})
