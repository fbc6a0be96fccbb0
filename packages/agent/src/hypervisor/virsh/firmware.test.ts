import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { uefiXml } from './firmware.js'
import { ejectedXml, insertedXml } from './iso-xml.js'
import { offersUefi } from './probe.js'
import { leftXml, rescueXml } from './rescue-xml.js'

/** That libvirt boots these is proven in `tests/vm/uefi.vm`. */

const bios = readFileSync(join(import.meta.dirname, 'golden/kvm.xml'), 'utf8')
const nvram = '/srv/machines/one.nvram'
const uefi = uefiXml(bios, nvram)
const osOf = (xml: string) => /<os[^]*<\/os>/.exec(xml)?.[0].replaceAll(/\s+/g, ' ').replaceAll('> <', '><')
const rescue = { rescueId: 'this-one', diskPath: '/srv/rescue.qcow2', seedPath: null }

test('a machine for UEFI asks for a firmware without secure boot, with a file of its own', () => {
  expect(osOf(uefi)).toBe(
    '<os firmware="efi"><type arch="x86_64" machine="q35">hvm</type><boot dev="hd"/>' +
      '<firmware><feature enabled="no" name="enrolled-keys"/><feature enabled="no" name="secure-boot"/></firmware>' +
      `<nvram>${nvram}</nvram></os>`,
  )
})

test('in rescue it is started with the BIOS, and afterwards as it was, whatever libvirt wrote down of its choice', () => {
  const told = uefi.replace('<nvram>', '<loader readonly="yes" type="pflash">/usr/share/code.fd</loader><nvram>')
  const inside = rescueXml(told, rescue)
  expect(osOf(inside)).toBe('<os><type arch="x86_64" machine="q35">hvm</type><boot dev="hd"/></os>')
  expect(osOf(rescueXml(inside, rescue))).toBe(osOf(inside))
  expect(osOf(leftXml(inside))).toBe(osOf(uefi))
})

test('a machine for the BIOS has no firmware after its rescue that it did not have before', () => {
  expect(osOf(leftXml(rescueXml(bios, rescue)))).not.toMatch(/firmware|nvram/)
})

test('a disc that boots comes before the disk, and the firmware stays', () => {
  const inserted = insertedXml(uefi, { isoId: 'disc', path: '/srv/disc.iso', boots: true })
  expect(osOf(inserted)).toContain('<boot dev="cdrom"/><boot dev="hd"/>')
  expect(osOf(inserted)).toContain(nvram)
  expect(osOf(ejectedXml(inserted))).toBe(osOf(uefi))
})

test.each([
  ['found', "<value>bios</value><value>efi</value></enum><loader><enum name='type'>", true],
  ['none', "</enum><loader><enum name='type'><value>efi</value>", false],
])('whether a host has the firmware is what libvirt says: %s', (_what, rest, has) => {
  expect(offersUefi(`<os supported='yes'><enum name='firmware'>${rest}</enum></loader></os>`)).toBe(has)
})
