import type { Element } from '@xmldom/xmldom'
import { HypervisorError } from '../hypervisor.js'
import { setFirmware } from './firmware.js'
import {
  addElement,
  elementAt,
  elementsAt,
  ensureElement,
  ourNote,
  readXml,
  setSource,
  sourceIn,
  writeXml,
} from './xml.js'

/**
 * The rescue system takes the disk's place, name and PCI slot, and so boots as the disk. The disk comes second, found
 * by its serial number. Boots by the BIOS. Pure.
 */

/** In the guest `/dev/disk/by-id/virtio-system`. */
const serial = 'system'

type Rescue = { rescueId: string; diskPath: string; seedPath: string | null }

/** `seedPath`: null once the rescue system is set up. */
export function rescueXml(xml: string, { rescueId, diskPath, seedPath }: Rescue): string {
  const domain = readXml(leftXml(xml))
  const [first, ...others] = disksOf(domain)
  if (!first || others.length > 0) throw new HypervisorError('the machine has not exactly one disk', { final: true })
  first.parentNode?.insertBefore(first.cloneNode(true), first.nextSibling)
  const second = disksOf(domain)[1] ?? first
  for (const address of elementsAt(second, 'address')) second.removeChild(address)
  elementAt(second, 'target').setAttribute('dev', 'vdb')
  addElement(second, 'serial').textContent = serial
  setSource(first, diskPath)
  const drive = drivesOf(domain)[0]
  if (seedPath !== null && drive) ensureElement(drive, 'source').setAttribute('file', seedPath)
  ourNote(domain)?.setAttribute('rescue', rescueId)
  setFirmware(domain, 'bios')
  return writeXml(domain)
}

/** Its own disk alone, and an empty drive; unchanged where in no rescue. */
export function leftXml(xml: string): string {
  const domain = readXml(xml)
  if (!ourNote(domain)?.hasAttribute('rescue')) return xml
  const [first, second] = disksOf(domain)
  if (!first || !second) throw new HypervisorError('the disk of the machine is not in its definition')
  setSource(first, sourceIn(second) ?? '')
  second.parentNode?.removeChild(second)
  for (const drive of drivesOf(domain)) for (const source of elementsAt(drive, 'source')) drive.removeChild(source)
  ourNote(domain)?.removeAttribute('rescue')
  setFirmware(domain, 'as noted')
  return writeXml(domain)
}

const disksOf = (domain: Element) => disks(domain, 'disk')
const drivesOf = (domain: Element) => disks(domain, 'cdrom')

function disks(domain: Element, device: 'disk' | 'cdrom'): Element[] {
  return elementsAt(domain, 'devices/disk').filter((disk) => disk.getAttribute('device') === device)
}
