import { DOMParser, type Element, onErrorStopParsing, XMLSerializer } from '@xmldom/xmldom'
import { HypervisorError } from '../hypervisor.js'

/** As a tree: what else libvirt or an operator put there stays. */
export function readXml(xml: string): Element {
  const { documentElement } = new DOMParser({ onError: onErrorStopParsing }).parseFromString(xml, 'text/xml')
  if (!documentElement) throw new HypervisorError('there is no element in the XML')
  return documentElement
}

export function writeXml(root: Element): string {
  return `${new XMLSerializer().serializeToString(root)}\n`
}

/** As `devices/disk`, whatever their namespace. */
export function elementsAt(parent: Element, path: string): Element[] {
  return path
    .split('/')
    .reduce(
      (parents, name) => parents.flatMap((one) => [...one.children].filter((child) => child.localName === name)),
      [parent],
    )
}

/** Throws where there is none, or several: the unexpected is not edited. */
export function elementAt(parent: Element, path: string): Element {
  const [element, ...others] = elementsAt(parent, path)
  if (!element || others.length > 0) {
    throw new HypervisorError(`${path} is ${element ? others.length + 1 : 0} times in the definition`)
  }
  return element
}

/** Made where missing: libvirt leaves out defaults. */
export function ensureElement(parent: Element, name: string): Element {
  return elementsAt(parent, name)[0] ?? addElement(parent, name)
}

/** At the end. */
export function addElement(parent: Element, name: string): Element {
  const { ownerDocument } = parent
  if (!ownerDocument) throw new HypervisorError(`${parent.localName} is in no document`)
  const made = ownerDocument.createElement(name)
  parent.appendChild(made)
  return made
}

/** The first element's; null: none. */
export function attributeAt(parent: Element, path: string, name: string): string | null {
  return elementsAt(parent, path)[0]?.getAttribute(name) ?? null
}

export function attributesOf(element: Element): Record<string, string> {
  return Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
}

export const metadataNamespace = 'urn:vps-portal:server'

/** Others may have an element of its name. */
export function ourNote(domain: Element): Element | undefined {
  return elementsAt(domain, 'metadata/server').find(({ namespaceURI }) => namespaceURI === metadataNamespace)
}

/** The one that every machine has; undefined: not one of ours. */
export const driveOf = (domain: Element): Element | undefined =>
  elementsAt(domain, 'devices/disk').find((disk) => disk.getAttribute('device') === 'cdrom')

/** A thin volume's, say. */
export const isDevice = (source: string): boolean => source.startsWith('/dev/')

/** A disk's file or block device; null: none. */
export const sourceIn = (disk: Element): string | null =>
  attributeAt(disk, 'source', 'file') ?? attributeAt(disk, 'source', 'dev')

/** Of another kind, perhaps. */
export function setSource(disk: Element, path: string): void {
  const source = elementAt(disk, 'source')
  const [kind, attribute, other] = isDevice(path) ? ['block', 'dev', 'file'] : ['file', 'file', 'dev']
  disk.setAttribute('type', kind)
  source.removeAttribute(other)
  source.setAttribute(attribute, path)
}
