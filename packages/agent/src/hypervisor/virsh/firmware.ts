import type { Element } from '@xmldom/xmldom'
import type { MachineDescription } from '@vps/shared/jobs.contract'
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
