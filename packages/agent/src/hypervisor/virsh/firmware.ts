import type { Element } from '@xmldom/xmldom'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { HypervisorError } from '../hypervisor.js'
import type { VirshHost } from './host.js'
import { addElement, elementAt, elementsAt, ourNote, readXml, writeXml } from './xml.js'

/**
 * Which of the host's firmwares a machine is started with libvirt chooses at each start, without secure boot. What it
 * remembers lies beside the disk; the note names it, so that a machine in rescue comes back to it (decision 0111).
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

/** The same machine, booted by UEFI, with this file for what the firmware remembers. */
export function uefiXml(xml: string, nvramPath: string): string {
  const domain = readXml(xml)
  ourNote(domain)?.setAttribute('nvram', nvramPath)
  setFirmware(domain, 'as noted')
  return writeXml(domain)
}

/** Nothing changes in a machine that was made for the BIOS. */
export function setFirmware(domain: Element, which: 'bios' | 'as noted'): void {
  const nvramPath = ourNote(domain)?.getAttribute('nvram') ?? null
  if (nvramPath === null) return
  const os = elementAt(domain, 'os')
  os.removeAttribute('firmware')
  // What libvirt has written down of its choice goes with it.
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
