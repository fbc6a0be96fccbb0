import type { Generation, MachineDescription } from '@vps/shared/jobs'
import { accessOf } from '../hypervisor.js'

/** What the host decides about a machine beside its description. */
export type DomainSettings = {
  domainType: 'kvm' | 'qemu'
  cpuModel: string
  machine: string
  cdromBus: 'scsi' | 'sata'
  network: { kind: 'bridge' | 'network'; name: string }
  bandwidth: boolean
  /** Past the host's page cache where the file system can do that. */
  directIo: boolean
}

export type DomainParts = {
  serverId: string
  machine: MachineDescription
  generation: Generation
  diskPath: string
  /** Null when the machine has been set up already. */
  seedPath: string | null
}

export const metadataNamespace = 'urn:vps-portal:server'

/** Name of a server's domain; its UUID is the server's id itself. */
export function domainName(serverId: string): string {
  return `vps-${serverId}`
}

/** The whole definition of a machine. Pure; golden files beside the test. */
export function domainXml(parts: DomainParts, settings: DomainSettings): string {
  const { serverId, machine, generation } = parts
  const { address, port, username, readiness } = accessOf(machine)
  const io = settings.directIo ? `cache='none' io='native'` : `cache='writeback'`
  const scsi = settings.cdromBus === 'scsi' ? `\n    <controller type='scsi' index='0' model='virtio-scsi'/>` : ''
  const seed = parts.seedPath === null ? '' : `\n      <source file='${escape(parts.seedPath)}'/>`
  return `<domain type='${settings.domainType}'>
  <name>${domainName(serverId)}</name>
  <uuid>${serverId}</uuid>
  <metadata>
    <vps:server xmlns:vps='${metadataNamespace}' epoch='${generation.epoch}' number='${generation.number}' address='${escape(address)}' port='${port}' username='${escape(username)}' readiness='${readiness}'/>
  </metadata>
  <memory unit='MiB'>${machine.memoryMb}</memory>
  <vcpu>${machine.cpuCores}</vcpu>
  <os>
    <type arch='x86_64' machine='${escape(settings.machine)}'>hvm</type>
    <boot dev='hd'/>
  </os>
  <features>
    <acpi/>
    <apic/>
  </features>
  ${cpu(settings.cpuModel)}
  <clock offset='utc'/>
  <on_poweroff>destroy</on_poweroff>
  <on_reboot>restart</on_reboot>
  <on_crash>destroy</on_crash>
  <devices>${scsi}
    <disk type='file' device='disk'>
      <driver name='qemu' type='qcow2' ${io} discard='unmap'/>
      <source file='${escape(parts.diskPath)}'/>
      <target dev='vda' bus='virtio'/>
    </disk>
    <disk type='file' device='cdrom'>
      <driver name='qemu' type='raw'/>${seed}
      <target dev='sda' bus='${settings.cdromBus}'/>
      <readonly/>
    </disk>
${networkInterface(machine, settings)}
    <channel type='unix'>
      <target type='virtio' name='org.qemu.guest_agent.0'/>
    </channel>
    <serial type='pty'/>
    <console type='pty'/>
    <graphics type='vnc'>
      <listen type='socket'/>
    </graphics>
    <video>
      <model type='vga' vram='16384'/>
    </video>
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

function cpu(model: string): string {
  if (model === 'host-passthrough' || model === 'host-model') return `<cpu mode='${model}'/>`
  return `<cpu mode='custom' match='exact'>
    <model fallback='allow'>${escape(model)}</model>
  </cpu>`
}

function networkInterface({ network, bandwidthMbps }: MachineDescription, settings: DomainSettings): string {
  const source = network.bridge ? { kind: 'bridge' as const, name: network.bridge } : settings.network
  // libvirt counts in KiB/s.
  const rate = Math.max(1, Math.round((bandwidthMbps * 1_000_000) / 8 / 1024))
  const bandwidth =
    settings.bandwidth && bandwidthMbps > 0
      ? `
      <bandwidth>
        <inbound average='${rate}'/>
        <outbound average='${rate}'/>
      </bandwidth>`
      : ''
  return `    <interface type='${source.kind}'>
      <mac address='${network.mac}'/>
      <source ${source.kind}='${escape(source.name)}'/>
      <model type='virtio'/>${bandwidth}
    </interface>`
}

const entities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[<>&'"]/g, (one) => entities[one] as string)
}
