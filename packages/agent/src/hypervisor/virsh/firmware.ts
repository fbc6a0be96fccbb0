import { open, rm } from 'node:fs/promises'
import type { Element } from '@xmldom/xmldom'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { isMissing } from '../../files.js'
import { HypervisorError } from '../hypervisor.js'
import type { VirshHost } from './host.js'
import { addElement, elementAt, elementsAt, ourNote, readXml, writeXml } from './xml.js'

/**
 * libvirt chooses a firmware at each start, without secure boot. Its memory lies beside the disk; the note names it,
 * for the machine's return from rescue (decision 0111).
 */

/** Final: before anything is deleted or fetched. */
export async function refuseWithoutFirmware(
  { can }: Pick<VirshHost, 'can'>,
  { firmware }: MachineDescription['image'],
): Promise<void> {
  if (firmware !== 'uefi' || (await can()).uefi) return
  throw new HypervisorError('this host has no UEFI firmware (Debian: ovmf)', {
    final: true,
    customer: '宿主机不支持所选系统的 UEFI 固件',
  })
}

/**
 * Of a machine that is off. One that was cut, as by a power cut or on a full disk, would keep it off for ever: libvirt
 * makes another at its start, without the entries that the guest has made. True where it was.
 */
export async function removeCutNvram(path: string): Promise<boolean> {
  if (await isWhole(path)) return false
  await rm(path)
  return true
}

/** By the volume's own header, which tells its length. Another format, as QEMU's own, is not judged. */
async function isWhole(path: string): Promise<boolean> {
  const file = await open(path).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (file === null) return true
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(volume.headBytes), 0, volume.headBytes, 0)
    if (bytesRead < volume.headBytes) return false
    if (buffer.toString('latin1', 0, qcow2Mark.length) === qcow2Mark) return true
    if (buffer.toString('latin1', volume.markAt, volume.markAt + volume.mark.length) !== volume.mark) return false
    return BigInt((await file.stat()).size) >= buffer.readBigUInt64LE(volume.lengthAt)
  } finally {
    await file.close()
  }
}

/** Platform initialization specification, volume 3: EFI_FIRMWARE_VOLUME_HEADER. */
const volume = { lengthAt: 32, markAt: 40, mark: '_FVH', headBytes: 44 }
const qcow2Mark = 'QFI\xfb'

/** Booted by UEFI, with this file for the firmware's memory. */
export function uefiXml(xml: string, nvramPath: string): string {
  const domain = readXml(xml)
  ourNote(domain)?.setAttribute('nvram', nvramPath)
  setFirmware(domain, 'as noted')
  return writeXml(domain)
}

/** Leaves a machine made for the BIOS. */
export function setFirmware(domain: Element, which: 'bios' | 'as noted'): void {
  const nvramPath = ourNote(domain)?.getAttribute('nvram') ?? null
  if (nvramPath === null) return
  const os = elementAt(domain, 'os')
  os.removeAttribute('firmware')
  // libvirt's record of its choice goes with it.
  for (const name of ['firmware', 'loader', 'nvram']) for (const one of elementsAt(os, name)) os.removeChild(one)
  if (which === 'bios') return
  os.setAttribute('firmware', 'efi')
  const firmware = addElement(os, 'firmware')
  for (const name of ['enrolled-keys', 'secure-boot']) {
    const feature = addElement(firmware, 'feature')
    feature.setAttribute('enabled', 'no')
    feature.setAttribute('name', name)
  }
  addElement(os, 'nvram').textContent = nvramPath
}
