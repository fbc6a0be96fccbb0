import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDomain } from './parse.js'
import { leftXml, rescueXml } from './rescue-xml.js'

const golden = readFileSync(join(import.meta.dirname, 'golden/kvm.xml'), 'utf8')
const address = `<address type='pci' domain='0x0000' bus='0x03' slot='0x00' function='0x0'/>`
const plain = golden.replace(`<target dev='vda' bus='virtio'/>`, (target) => `${target}${address}`)
const rescue = { rescueId: 'this-one', diskPath: '/srv/rescue.qcow2', seedPath: '/srv/rescue.seed.iso' }
const sources = (xml: string) => [...xml.matchAll(/<source file="([^"]*)"/g)].map((match) => match[1])

test('the rescue system takes the name and the slot of the disk, which comes second and is found by its serial number', () => {
  const xml = rescueXml(plain, rescue)
  const disk = '/srv/machines/0198c0de-0000-7000-8000-000000000001.1.3.qcow2'
  expect(sources(xml)).toEqual([rescue.diskPath, disk, rescue.seedPath])
  expect([...xml.matchAll(/<target dev="(vd.)"/g)].map((match) => match[1])).toEqual(['vda', 'vdb'])
  expect(xml.match(/<address type="pci"/g)).toHaveLength(1)
  expect(xml.indexOf('<address')).toBeLessThan(xml.indexOf(disk))
  expect(xml).toContain('<serial>system</serial>')
  expect(parseDomain(xml)).toMatchObject({ rescueId: 'this-one', diskPath: disk, medium: rescue.seedPath })
})

test('leaving gives the definition back as it was, with an empty drive; entering twice is entering once', () => {
  const inside = rescueXml(plain, rescue)
  const empty = plain.replace(/\n\s*<source file='[^']*seed.iso'\/>/, '')
  const shape = (xml: string) => xml.replaceAll(/\s+/g, ' ').replaceAll('"', "'").replaceAll('> <', '><').trim()
  expect(shape(leftXml(inside))).toBe(shape(leftXml(rescueXml(empty, rescue))))
  expect(shape(leftXml(inside))).toBe(shape(empty))
  expect(sources(rescueXml(inside, rescue))).toEqual(sources(inside))
  expect(leftXml(plain)).toBe(plain)
})

test.each([
  ['/dev/vps/of-the-machine', '/dev/vps/of-the-rescue'],
  ['/dev/vps/of-the-machine', '/srv/rescue.qcow2'],
  ['/srv/machine.qcow2', '/dev/vps/of-the-rescue'],
])('the disk and the rescue system are each a file or a device: %s, %s', (diskPath, rescuePath) => {
  const kindOf = (path: string) => (path.startsWith('/dev/') ? ['block', 'dev'] : ['file', 'file'])
  const disks = (xml: string) =>
    [...xml.matchAll(/<disk type="(\w+)" device="disk">.*?<source (\w+)="([^"]*)"\/>/gs)].map(([, ...found]) => found)
  const [kind, attribute] = kindOf(diskPath)
  const machine = plain
    .replace("<disk type='file' device='disk'>", `<disk type='${kind}' device='disk'>`)
    .replace(/<source file='[^']*qcow2'\/>/, `<source ${attribute}='${diskPath}'/>`)
  const inside = rescueXml(machine, { ...rescue, diskPath: rescuePath })
  expect(disks(inside)).toEqual([
    [...kindOf(rescuePath), rescuePath],
    [...kindOf(diskPath), diskPath],
  ])
  expect(parseDomain(inside).diskPath).toBe(diskPath)
  expect(disks(leftXml(inside))).toEqual([[...kindOf(diskPath), diskPath]])
})
