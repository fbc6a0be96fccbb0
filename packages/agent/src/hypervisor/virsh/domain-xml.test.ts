import { describe, expect, test } from 'vitest'
import { kvmSettings } from '../../testing/defined.js'
import { machine } from '../../testing/machines.js'
import { type DomainParts, type DomainSettings, domainXml, resizedXml, revertedXml } from './domain-xml.js'
import { parseDomain } from './parse.js'

const id = '0198c0de-0000-7000-8000-000000000001'
const parts: DomainParts = {
  serverId: id,
  machine: machine({ cpuCores: 2, memoryMb: 2048, bandwidthMbps: 100, diskIops: 2000, diskMbPerSecond: 200 }),
  generation: { epoch: 1, number: 3 },
  diskPath: `/srv/machines/${id}.1.3.qcow2`,
  seedPath: `/srv/machines/${id}.1.3.seed.iso`,
  serialLogPath: `/srv/machines/${id}.serial.log`,
}
const kvm: DomainSettings = { ...kvmSettings, guard: 'nwfilter' }
const emulated: DomainSettings = {
  ...kvm,
  domainType: 'qemu',
  cpuModel: 'qemu64',
  machine: 'pc',
  cdromBus: 'sata',
  network: { kind: 'network', name: 'default' },
  bandwidth: false,
  guard: 'nftables',
  directIo: false,
  cpuShares: false,
}

test('a machine on KVM with a limited bandwidth, before its first boot', async () => {
  await expect(domainXml(parts, kvm)).toMatchFileSnapshot('golden/kvm.xml')
})

test('a machine under emulation on a libvirt network, set up already', async () => {
  await expect(domainXml({ ...parts, seedPath: null }, emulated)).toMatchFileSnapshot('golden/emulated.xml')
})

test('a disk in a thin volume is given as a block device, and read back as one', () => {
  const diskPath = `/dev/vps/vps-${id}-0a1b2c3d`
  const xml = domainXml({ ...parts, diskPath }, kvm)
  expect(xml).toContain("<disk type='block' device='disk'>")
  expect(xml).toContain(`<source dev='${diskPath}'/>`)
  expect(parseDomain(xml)).toMatchObject({ diskPath, medium: parts.seedPath })
})

test('the bridge of the description overrules that of the host, and 0 Mbps means unlimited', () => {
  const own = machine({ network: { ...parts.machine.network, bridge: 'br-customers' } })
  const xml = domainXml({ ...parts, machine: own }, kvm)
  expect(xml).toContain("<source bridge='br-customers'/>")
  expect(xml).not.toContain('<bandwidth>')
})

test('the processor of the description overrules that of the host', () => {
  const xml = domainXml({ ...parts, machine: machine({ cpuModel: 'EPYC-Rome' }) }, kvm)
  expect(xml).toContain("<cpu mode='custom' match='exact'>\n    <model fallback='allow'>EPYC-Rome</model>")
  expect(xml).not.toContain('<iotune>')
})

test('what a definition says of the server is read back from it', () => {
  expect(parseDomain(domainXml(parts, kvm))).toEqual({
    generation: { epoch: 1, number: 3 },
    diskPath: parts.diskPath,
    revertedBy: null,
    rescueId: null,
    iso: null,
    access: { address: '10.77.0.2', port: 2222, username: 'root', readiness: 'ssh' },
    size: { cpuCores: 2, memoryMb: 2048, diskGb: 2 },
    guard: {
      mac: '52:54:00:77:00:02',
      addresses: ['10.77.0.2'],
      port: 'vps000000000001',
      filter: 'vps-guard-ipv4',
    },
    bandwidthMbps: { inbound: parts.machine.bandwidthMbps, outbound: parts.machine.bandwidthMbps },
    macs: ['52:54:00:77:00:02'],
    drive: 'sda',
    medium: parts.seedPath,
  })
})

test('nothing that a description holds can leave its place in the XML', () => {
  const xml = domainXml({ ...parts, machine: machine({ username: `a'/><x y="&` }) }, kvm)
  expect(parseDomain(xml).access?.username).toBe(`a'/><x y="&`)
})

describe('another size', () => {
  /** As libvirt prints it: KiB, current memory, its own quotes. */
  const printed = domainXml(parts, kvm)
    .replace(
      "<memory unit='MiB'>2048</memory>",
      "<memory unit='KiB'>2097152</memory>\n  <currentMemory unit='KiB'>2097152</currentMemory>",
    )
    .replace('<vcpu>2</vcpu>', "<vcpu placement='static'>2</vcpu>")
    .replaceAll(/(vps:server.*)/g, (line) => line.replaceAll("'", '"'))

  test('changes processors, memory and the note of the disk, and nothing else', () => {
    const larger = resizedXml(printed, { cpuCores: 4, memoryMb: 8192, diskGb: 80 })
    expect(parseDomain(larger)).toEqual({ ...parseDomain(printed), size: { cpuCores: 4, memoryMb: 8192, diskGb: 80 } })
    const back = resizedXml(larger, { cpuCores: 2, memoryMb: 2048, diskGb: 2 })
    expect(back.replaceAll('"', "'").replaceAll("unit='MiB'>2048<", "unit='KiB'>2097152<")).toBe(
      printed.replaceAll('"', "'"),
    )
  })

  test('gives the network a queue for each processor, eight at most, and the processors their share', () => {
    const larger = resizedXml(printed, { cpuCores: 12, memoryMb: 8192, diskGb: 80 })
    expect(larger).toMatch(/<driver queues=.8.\/>/)
    expect(larger).toContain('<shares>1200</shares>')
  })

  test('of a machine with one queue, which libvirt does not write down, adds the others', () => {
    const one = printed.replace(/<driver queues.*/, '')
    expect(resizedXml(one, { cpuCores: 4, memoryMb: 8192, diskGb: 80 })).toContain('<driver queues="4"/>')
  })

  test('gives back the processors that somebody took by hand', () => {
    const vcpus = `<vcpus><vcpu id='0' enabled='yes' hotpluggable='no'/><vcpu id='1' enabled='no' hotpluggable='yes'/></vcpus>`
    const taken = printed.replace(/<vcpu[^>]*>2<\/vcpu>/, `<vcpu placement='static' current='1'>2</vcpu>${vcpus}`)
    expect(parseDomain(taken).size?.cpuCores).toBe(1)
    const larger = resizedXml(taken, { cpuCores: 4, memoryMb: 8192, diskGb: 80 })
    expect(parseDomain(larger).size?.cpuCores).toBe(4)
    expect(larger).not.toContain('<vcpus>')
  })

  test('of a machine from before, which has no shares, adds none', () => {
    const before = printed.replace(/<cputune>[^]*<\/cputune>/, '')
    expect(resizedXml(before, { cpuCores: 4, memoryMb: 8192, diskGb: 80 })).not.toContain('shares')
  })

  test('tells which job took its disk back, and still does after a resize', () => {
    const reverted = revertedXml(revertedXml(printed, 'one'), 'two')
    expect(parseDomain(reverted)).toEqual({ ...parseDomain(printed), revertedBy: 'two' })
    expect(parseDomain(resizedXml(reverted, { cpuCores: 4, memoryMb: 8192, diskGb: 80 })).revertedBy).toBe('two')
  })

  test('takes nothing that only has the same name elsewhere for the machine’s own memory', () => {
    const plugged = printed.replace(
      '</devices>',
      "<memory model='dimm'><target><size unit='KiB'>1</size></target></memory></devices>",
    )
    expect(resizedXml(plugged, { cpuCores: 4, memoryMb: 8192, diskGb: 80 })).toContain('<size unit="KiB">1</size>')
  })

  test('leaves an operator’s own words and characters as they are', () => {
    const noted = printed.replace('<clock', '<!-- 甲 & 乙 -->\n  <title>a &lt;b&gt; &amp; \'"</title>\n  <clock')
    const resized = resizedXml(noted, { cpuCores: 4, memoryMb: 8192, diskGb: 80 })
    expect(resized).toContain('<!-- 甲 & 乙 -->')
    expect(resized).toMatch(/<title>a &lt;b(>|&gt;) &amp; '"<\/title>/)
  })

  test('of a machine whose disk was never written down adds the note', () => {
    const old = printed.replace(' disk="2"', '')
    expect(parseDomain(old).size?.diskGb).toBeNull()
    expect(parseDomain(resizedXml(old, { cpuCores: 2, memoryMb: 2048, diskGb: 40 })).size?.diskGb).toBe(40)
  })

  test('is refused where the definition does not look as expected', () => {
    const size = { cpuCores: 1, memoryMb: 1, diskGb: 1 }
    expect(() => resizedXml(printed.replace(/<vcpu.*/, ''), size)).toThrow('vcpu is 0 times')
    expect(() => resizedXml(printed.replace(/(<vcpu.*)/, '$1$1'), size)).toThrow('vcpu is 2 times')
  })
})
