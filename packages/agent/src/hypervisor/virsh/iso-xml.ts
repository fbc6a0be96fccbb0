import { HypervisorError } from '../hypervisor.js'
import { driveOf, elementAt, elementsAt, ensureElement, ourNote, readXml, writeXml } from './xml.js'

/** A disc of the library in every machine's one drive. `<os>` boots the drive first, then the disk. Pure. */

type Disc = { isoId: string; path: string; boots: boolean }

/** Whatever was in the drive. */
export function insertedXml(xml: string, { isoId, path, boots }: Disc): string {
  const domain = readXml(ejectedXml(xml))
  const drive = driveOf(domain)
  if (!drive) throw new HypervisorError('the machine has no drive of ours', { final: true })
  const source = ensureElement(drive, 'source')
  source.setAttribute('file', path)
  // If the file is gone, the machine starts without it.
  source.setAttribute('startupPolicy', 'optional')
  if (boots) {
    const disk = elementAt(domain, 'os/boot')
    disk.parentNode?.insertBefore(disk.cloneNode(true), disk)
    elementsAt(domain, 'os/boot')[0]?.setAttribute('dev', 'cdrom')
  }
  ourNote(domain)?.setAttribute('iso', isoId)
  return writeXml(domain)
}

/** Empty drive, and the disk boots; unchanged where no disc is noted. */
export function ejectedXml(xml: string): string {
  const domain = readXml(xml)
  if (!ourNote(domain)?.hasAttribute('iso')) return xml
  const drive = driveOf(domain)
  for (const source of drive ? elementsAt(drive, 'source') : []) drive?.removeChild(source)
  for (const boot of elementsAt(domain, 'os/boot'))
    if (boot.getAttribute('dev') === 'cdrom') boot.parentNode?.removeChild(boot)
  ourNote(domain)?.removeAttribute('iso')
  return writeXml(domain)
}
