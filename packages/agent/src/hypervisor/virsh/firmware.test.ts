import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemporaryFolder } from '../../testing/agent.js'
import { removeCutNvram, uefiXml } from './firmware.js'
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

const volumeOf = (bytes: number, tells: number, mark = '_FVH') => {
  const content = Buffer.alloc(bytes)
  content.writeBigUInt64LE(BigInt(tells), 32)
  content.write(mark, 40)
  return content
}
test.each([
  ['whole', volumeOf(4096, 4096), true],
  ['in a larger file', volumeOf(8192, 4096), true],
  ['in QEMU’s own format', Buffer.concat([Buffer.from('QFI\xfb', 'latin1'), Buffer.alloc(100)]), true],
  ['cut', volumeOf(4096, 8192), false],
  ['cut in its header', Buffer.alloc(43), false],
  ['empty', Buffer.alloc(0), false],
  ['all zeroes, as file systems leave one after a power cut', Buffer.alloc(8192), false],
])('a firmware’s memory that is %s stays only where a machine can start with it', async (_what, content, stays) => {
  await withTemporaryFolder(async (folder) => {
    const path = join(folder, 'one.nvram')
    writeFileSync(path, content)
    expect([await removeCutNvram(path), existsSync(path)]).toEqual([!stays, stays])
    expect(await removeCutNvram(join(folder, 'none.nvram'))).toBe(false)
  })
})

test.each([
  ['found', "<value>bios</value><value>efi</value></enum><loader><enum name='type'>", true],
  ['none', "</enum><loader><enum name='type'><value>efi</value>", false],
])('whether a host has the firmware is what libvirt says: %s', (_what, rest, has) => {
  expect(offersUefi(`<os supported='yes'><enum name='firmware'>${rest}</enum></loader></os>`)).toBe(has)
})
