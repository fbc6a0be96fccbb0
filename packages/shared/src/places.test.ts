import { expect, test } from 'vitest'
import { mostPlaces, placeOf, placesFault, placesOf, probeOrigins } from './places.js'

test('a line is a name, where it is, and what may be asked to measure', () => {
  expect(placeOf('上海，31.2，121.5，https://sh.example.com/ping.png')).toEqual({
    name: '上海',
    latitude: 31.2,
    longitude: 121.5,
    probe: 'https://sh.example.com/ping.png',
  })
  expect(placeOf(' Los Angeles, 34, -118.2 ')).toEqual({
    name: 'Los Angeles',
    latitude: 34,
    longitude: -118.2,
    probe: null,
  })
  expect(placeOf('东京,35.7,139.7,/favicon.svg')?.probe).toBe('/favicon.svg')
})

test.each([
  '上海',
  '上海,91,0',
  '上海,0,181',
  '上海,a,b',
  ',1,2',
  '上海,1,2,http://plain.example.com/',
  '上海,1,2,//elsewhere.example.com/',
  '上海,1,2,javascript:alert(1)',
  "上海,1,2,https://a.example.com;script-src 'unsafe-inline'",
  '上海,1,2,https://user@a.example.com/',
])('%j is no place', (line) => expect(placeOf(line)).toBe(null))

test('what is wrong is said with its line', () => {
  expect(placesFault('')).toBe(null)
  expect(placesFault('上海,31,121\n\n东京,35,139')).toBe(null)
  expect(placesFault('上海,31,121\n东京')).toContain('第 2 行不正确')
  expect(placesFault('上海,31,121\n上海,35,139')).toBe('机房「上海」写了两次')
  expect(placesFault(Array.from({ length: mostPlaces + 1 }, (_, n) => `机房${n},0,${n}`).join('\n'))).toContain('最多')
})

test('only the origins that are measured are named, each once', () => {
  const text =
    'A,1,1,https://A.example.com/x\nB,2,2,https://a.example.com/y\nC,3,3,https://c.example.com:8443\nD,4,4,/own\nE,5,5'
  expect(probeOrigins(text)).toEqual(['https://a.example.com', 'https://c.example.com:8443'])
  expect(placesOf(text)).toHaveLength(5)
})
