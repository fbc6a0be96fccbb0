import type { Generation } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { filterRef, type GuardKind, portOf } from './guard-rules.js'
import { accessOf, type MachineSize } from '../hypervisor.js'
import { elementAt, elementsAt, ensureElement, isDevice, metadataNamespace, ourNote, readXml, writeXml } from './xml.js'

export type DomainSettings = {
  domainType: 'kvm' | 'qemu'
  cpuModel: string
  machine: string
  cdromBus: 'scsi' | 'sata'
  network: { kind: 'bridge' | 'network'; name: string }
  bandwidth: boolean
  /** Null: nothing keeps guests to their addresses. */
  guard: GuardKind | null
  /** Past the host's page cache where the file system can. */
  directIo: boolean
  /** Where processors are short, by a machine's size. */
  cpuShares: boolean
}

export type DomainParts = {
  serverId: string
  machine: MachineDescription
  generation: Generation
  diskPath: string
  seedPath: string | null
  serialLogPath: string
}

/** Its UUID is the server's id. */
export function domainName(serverId: string): string {
  return `vps-${serverId}`
}

/** Pure; golden files beside the test. */
export function domainXml(parts: DomainParts, settings: DomainSettings): string {
  const { serverId, machine, generation } = parts
  const { address, port, username, readiness } = accessOf(machine)
  const onDevice = isDevice(parts.diskPath)
  const io = settings.directIo ? `cache='none' io='native'` : `cache='writeback'`
  const shares = settings.cpuShares
    ? `\n  <cputune>\n    <shares>${sharesOf(machine.cpuCores)}</shares>\n  </cputune>`
    : ''
  const scsi = settings.cdromBus === 'scsi' ? `\n    <controller type='scsi' index='0' model='virtio-scsi'/>` : ''
  const seed = parts.seedPath === null ? '' : `\n      <source file='${escape(parts.seedPath)}'/>`
  return `<domain type='${settings.domainType}'>
  <name>${domainName(serverId)}</name>
  <uuid>${serverId}</uuid>
  <metadata>
    <vps:server xmlns:vps='${metadataNamespace}' epoch='${generation.epoch}' number='${generation.number}' address='${escape(address)}' port='${port}' username='${escape(username)}' readiness='${readiness}' addresses='${escape(addressesOf(machine).join(' '))}' disk='${machine.diskGb}'/>
  </metadata>
  <memory unit='MiB'>${machine.memoryMb}</memory>
  <vcpu>${machine.cpuCores}</vcpu>
  <iothreads>1</iothreads>${shares}
  <os>
    <type arch='x86_64' machine='${escape(settings.machine)}'>hvm</type>
    <boot dev='hd'/>
  </os>
  <features>
    <acpi/>
    <apic/>
  </features>
  ${cpu(machine.cpuModel ?? settings.cpuModel)}
  <clock offset='utc'/>
  <on_poweroff>destroy</on_poweroff>
  <on_reboot>restart</on_reboot>
  <on_crash>destroy</on_crash>
  <devices>${scsi}
    <disk type='${onDevice ? 'block' : 'file'}' device='disk'>
      <driver name='qemu' type='qcow2' ${io} discard='unmap' detect_zeroes='unmap' iothread='1'/>
      <source ${onDevice ? 'dev' : 'file'}='${escape(parts.diskPath)}'/>
      <target dev='vda' bus='virtio'/>${diskLimits(machine)}
    </disk>
    <disk type='file' device='cdrom'>
      <driver name='qemu' type='raw'/>${seed}
      <target dev='sda' bus='${settings.cdromBus}'/>
      <readonly/>
    </disk>
${networkInterface(serverId, machine, settings)}
    <channel type='unix'>
      <target type='virtio' name='org.qemu.guest_agent.0'/>
    </channel>
    <serial type='pty'>
      <log file='${escape(parts.serialLogPath)}' append='off'/>
    </serial>
    <console type='pty'/>
    <input type='tablet' bus='usb'/>
    <graphics type='vnc'>
      <listen type='socket'/>
    </graphics>
    <video>
      <model type='vga' vram='16384'/>
    </video>
    <watchdog model='i6300esb' action='reset'/>
    <rng model='virtio'>
      <backend model='random'>/dev/urandom</backend>
    </rng>
    <memballoon model='virtio'>
      <stats period='5'/>
    </memballoon>
  </devices>
</domain>
`
}

/** As libvirt prints it. Throws where it looks unexpected. */
export function resizedXml(xml: string, size: MachineSize): string {
  const domain = readXml(xml)
  for (const path of ['memory', 'currentMemory']) {
    const memory = elementAt(domain, path)
    memory.setAttribute('unit', 'MiB')
    memory.textContent = String(size.memoryMb)
  }
  const vcpu = elementAt(domain, 'vcpu')
  vcpu.textContent = String(size.cpuCores)
  // Of these somebody may have taken some by hand.
  vcpu.removeAttribute('current')
  for (const taken of elementsAt(domain, 'vcpus')) domain.removeChild(taken)
  for (const shares of elementsAt(domain, 'cputune/shares')) shares.textContent = String(sharesOf(size.cpuCores))
  for (const port of elementsAt(domain, 'devices/interface'))
    ensureElement(port, 'driver').setAttribute('queues', String(queuesOf(size.cpuCores)))
  // Earlier machines get it with their first resize.
  if (size.diskGb !== null) ourNote(domain)?.setAttribute('disk', String(size.diskGb))
  return writeXml(domain)
}

/** The same, noting the job that took its disk back. */
export function revertedXml(xml: string, jobId: string): string {
  const domain = readXml(xml)
  ourNote(domain)?.setAttribute('reverted', jobId)
  return writeXml(domain)
}

/** One processor's weight; both versions of control groups take it for 32 of them. */
const sharesOf = (cpuCores: number): number => 100 * cpuCores

/** One per processor, each with its own packets; more than eight bring nothing. */
const queuesOf = (cpuCores: number): number => Math.min(cpuCores, 8)

/** libvirt counts in KiB/s. */
export function kibPerSecond(bandwidthMbps: number): number {
  return Math.max(1, Math.round((bandwidthMbps * 1_000_000) / 8 / 1024))
}

function cpu(model: string): string {
  if (model === 'host-passthrough' || model === 'host-model') return `<cpu mode='${model}'/>`
  return `<cpu mode='custom' match='exact'>
    <model fallback='allow'>${escape(model)}</model>
  </cpu>`
}

function diskLimits({ diskIops, diskMbPerSecond }: MachineDescription): string {
  const limits = [
    ...(diskMbPerSecond > 0 ? [`<total_bytes_sec>${diskMbPerSecond * 1_000_000}</total_bytes_sec>`] : []),
    ...(diskIops > 0 ? [`<total_iops_sec>${diskIops}</total_iops_sec>`] : []),
  ]
  return limits.length > 0 ? `\n      <iotune>${limits.join('')}</iotune>` : ''
}

/** All that it may send from: addresses, then prefixes. */
export function addressesOf({ network }: MachineDescription): string[] {
  return [...network.addresses.map(({ address }) => address), ...network.prefixes]
}

function networkInterface(serverId: string, machine: MachineDescription, settings: DomainSettings): string {
  const { network, bandwidthMbps } = machine
  const source = network.bridge ? { kind: 'bridge' as const, name: network.bridge } : settings.network
  const rate = kibPerSecond(bandwidthMbps)
  const bandwidth =
    settings.bandwidth && bandwidthMbps > 0
      ? `
      <bandwidth>
        <inbound average='${rate}'/>
        <outbound average='${rate}'/>
      </bandwidth>`
      : ''
  const filter = settings.guard === 'nwfilter' ? `\n      ${filterRef(addressesOf(machine))}` : ''
  return `    <interface type='${source.kind}'>
      <mac address='${network.mac}'/>
      <source ${source.kind}='${escape(source.name)}'/>
      <target dev='${portOf(serverId)}'/>
      <model type='virtio'/>
      <driver queues='${queuesOf(machine.cpuCores)}'/>${filter}${bandwidth}
    </interface>`
}

const entities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[<>&'"]/g, (one) => entities[one] ?? one)
}
