import { domainXml, type DomainSettings } from '../hypervisor/virsh/domain-xml.js'
import { machine } from './machines.js'

export const definedId = '0198c0de-0000-7000-8000-000000000001'
export const definedGeneration = { epoch: 1, number: 3 }

export const kvmSettings: DomainSettings = {
  domainType: 'kvm',
  cpuModel: 'host-passthrough',
  machine: 'q35',
  cdromBus: 'scsi',
  network: { kind: 'bridge', name: 'br0' },
  bandwidth: true,
  guard: null,
  directIo: true,
  cpuShares: true,
}

/** Our definition of a machine, as libvirt prints it. */
export const definedWith = (seedPath: string | null): string =>
  domainXml(
    {
      serverId: definedId,
      machine: machine(),
      generation: definedGeneration,
      diskPath: '/disk',
      seedPath,
      serialLogPath: '/log',
    },
    kvmSettings,
  ).replace(
    "<memory unit='MiB'>512</memory>",
    "<memory unit='KiB'>524288</memory><currentMemory unit='KiB'>524288</currentMemory>",
  )

/** As `domstats` prints it; libvirt's numbers: 1 runs, 5 is off. */
export const definedState = (number: number): string => `Domain: 'vps-${definedId}'\n  state.state=${number}\n`
