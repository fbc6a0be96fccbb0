import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ejectedXml, insertedXml } from './iso-xml.js'
import { parseDomain } from './parse.js'
import { isSeed } from './storage.js'

const golden = readFileSync(join(import.meta.dirname, 'golden/kvm.xml'), 'utf8')
const empty = golden.replace(/\n\s*<source file='[^']*seed.iso'\/>/, '')
const disc = { isoId: 'this-one', path: '/srv/images/debian-12.iso', boots: true }
const boots = (xml: string) => [...xml.matchAll(/<boot dev=["']([^"']*)["']/g)].map((match) => match[1])
const shape = (xml: string) => xml.replaceAll(/\s+/g, ' ').replaceAll('"', "'").replaceAll('> <', '><').trim()

test('a disc lies read-only in the drive, boots before the disk, and is left out at a start where its file is gone', () => {
  const xml = insertedXml(empty, disc)
  expect(parseDomain(xml)).toMatchObject({ iso: { id: 'this-one', boots: true }, medium: disc.path, drive: 'sda' })
  expect(isSeed(parseDomain(xml).medium!)).toBe(false)
  expect(boots(xml)).toEqual(['cdrom', 'hd'])
  expect(xml).toMatch(/<readonly\/>\s*<source file="\/srv\/images\/debian-12.iso" startupPolicy="optional"\/>/)
})

test('one that is only put in leaves the boot order as it is', () => {
  const xml = insertedXml(empty, { ...disc, boots: false })
  expect(parseDomain(xml).iso).toEqual({ id: 'this-one', boots: false })
  expect(boots(xml)).toEqual(['hd'])
})

test('another disc takes its place, and twice is once', () => {
  const once = insertedXml(empty, disc)
  expect(shape(insertedXml(once, disc))).toBe(shape(once))
  const other = insertedXml(once, { isoId: 'other', path: '/srv/images/other.iso', boots: false })
  expect(parseDomain(other)).toMatchObject({ iso: { id: 'other', boots: false }, medium: '/srv/images/other.iso' })
  expect(boots(other)).toEqual(['hd'])
})

test('out of the drive, the definition is as it was; a seed that lies there instead stays', () => {
  expect(shape(ejectedXml(insertedXml(empty, disc)))).toBe(shape(empty))
  expect(ejectedXml(golden)).toBe(golden)
})
