import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../systemd')
const settings = (unit: string, name: string) =>
  readFileSync(join(folder, unit), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))
const words = (unit: string, name: string) => settings(unit, name).flatMap((line) => line.split(' '))

test('machines’ firewalls are loaded once the host’s own rules are, which flush all tables, and before machines start', () => {
  const unit = 'vps-firewalls.service'
  expect(words(unit, 'After')).toContain('nftables.service')
  for (const libvirt of ['libvirtd.service', 'virtqemud.service']) expect(words(unit, 'Before')).toContain(libvirt)
  expect(words(unit, 'RequiresMountsFor')).toEqual(['/var/lib/vps-machines'])
})

test('a host that cannot follow connections has its machines’ firewalls and ports at boot all the same', () => {
  for (const command of settings('vps-firewalls.service', 'ExecStartPre')) expect(command).toMatch(/^-/)
})

test('an agent waits for its storage: in an empty folder it would call machines destroyed whose disks come with the mount', () => {
  expect(words('vps-agent.service', 'RequiresMountsFor')).toEqual(['/var/lib/vps-machines'])
})

test('an agent that is told to end has its programs for as long as it takes to finish what has begun', () => {
  expect(settings('vps-agent.service', 'KillMode')).toEqual(['mixed'])
})
