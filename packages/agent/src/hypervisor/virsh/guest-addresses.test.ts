import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepAddresses } from './guest-addresses.js'
import { run } from './run.js'

const mac = '52:54:00:77:00:02'
const of = (...addresses: string[]) => addresses.map((address) => ({ address, prefix: 24 }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vps-addresses-'))
  for (const made of ['bin', 'etc/systemd/system', 'etc/local.d', 'sys/class/net/lo', 'sys/class/net/ens3', 'run'])
    mkdirSync(join(folder, made), { recursive: true })
  writeFileSync(join(folder, 'sys/class/net/lo/address'), '00:00:00:00:00:00\n')
  writeFileSync(join(folder, 'sys/class/net/ens3/address'), `${mac}\n`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, body = ''): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\necho "${name} $*" >> ${folder}/called\n${body}\n`)
  chmodSync(join(folder, 'bin', name), 0o755)
}
const withIp = () =>
  program(
    'ip',
    `touch ${folder}/kept
case "$*" in
  "address add"*) echo "2: $5    inet $3 scope global" >> ${folder}/kept;;
  "address del"*) grep -v -F " $3 " ${folder}/kept > ${folder}/rest; mv ${folder}/rest ${folder}/kept;;
  "-o address show") cat ${folder}/kept;;
esac`,
  )

const apply = (...addresses: string[]) => {
  const here = keepAddresses(mac, of(...addresses))
    .replaceAll(/\/(etc|sys|run)\//g, `${folder}/$1/`)
    .replaceAll('/usr/local/sbin', `${folder}/bin`)
    .replace(/^export PATH=.*$/m, `export PATH=${folder}/bin:$PATH`)
  return run('/bin/sh', ['-c', here])
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

test('a guest has what the list says on the port with its MAC, and lets go of what it says no more', async () => {
  withIp()
  await apply('10.77.0.3', '10.77.0.4')
  await apply('10.77.0.4')
  expect(read('etc/vps-addresses')).toBe(`${mac} 10.77.0.4/24\n`)
  expect(read('kept')).toContain('ens3    inet 10.77.0.4/24')
  expect(read('kept')).not.toContain('10.77.0.3')
  expect(read('kept')).not.toContain('lo ')
})

test('systemd is told to add them at each boot, after the network', async () => {
  withIp()
  program('systemctl')
  mkdirSync(join(folder, 'run/systemd/system'), { recursive: true })
  await apply('10.77.0.3')
  expect(read('etc/systemd/system/vps-addresses.service')).toContain('After=network-online.target')
  expect(read('called')).toContain('systemctl enable -q vps-addresses.service')
})

test('so is OpenRC', async () => {
  withIp()
  program('rc-update')
  await apply('10.77.0.3')
  expect(existsSync(join(folder, 'etc/local.d/vps-addresses.start'))).toBe(true)
  expect(read('called')).toContain('rc-update -q add local default')
})

test('a guest that cannot take them says so', async () => {
  program('ip')
  await expect(apply('10.77.0.3')).rejects.toThrow('/bin/sh')
})

test('what is run holds no quote that would end the request', () => {
  expect(keepAddresses(mac, of('10.77.0.3'))).not.toContain("'")
})
