import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { dirname, join } from 'node:path'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import type { SeedSecrets } from '../hypervisor.js'
import {
  installGuestAgent,
  openPort,
  passwordFile,
  passwordFiles,
  type passwordLabel,
  watchForPassword,
} from './guest-scripts.js'
import { run } from './run.js'

/** Whole or not at all; holds a password's hash, never the password. */
export async function createSeedImage(
  path: string,
  label: 'cidata' | typeof passwordLabel,
  isoProgram: 'genisoimage' | 'xorrisofs',
  files: Record<string, string>,
): Promise<void> {
  // The owner's alone: the program leaves what it makes everybody's to read.
  const folder = await mkdtemp(join(dirname(path), making))
  const image = join(folder, 'image')
  try {
    const names = Object.keys(files)
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
    const sources = names.map((name) => join(folder, name))
    await run(isoProgram, ['-quiet', '-output', image, '-volid', label, '-joliet', '-rock', ...sources])
    // libvirt hands it to QEMU's user.
    await chmod(image, 0o600)
    await rename(image, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of an agent that was killed. */
export async function removeHalfSeeds(dir: string): Promise<void> {
  const halves = (await readdir(dir)).filter((name) => name.startsWith(making))
  await Promise.all(halves.map((name) => rm(join(dir, name), { recursive: true, force: true })))
}

const making = 'making-seed-'

/** One-time: a new password, nothing else. */
export function passwordSeed(username: string, passwordHash: string): Record<string, string> {
  return { [passwordFile]: `${username}:${passwordHash}\n` }
}

/** For cloud-init. JSON is YAML, less a few signs: nothing a customer wrote breaks out. */
export function seedFiles(instance: string, machine: MachineDescription, secrets: SeedSecrets): Record<string, string> {
  return {
    'meta-data': json({
      'instance-id': instance,
      'local-hostname': machine.hostname,
    }),
    'user-data': `#cloud-config\n${json(userData(machine, secrets))}`,
    'network-config': json(networkConfig(machine.network)),
  }
}

function userData(machine: MachineDescription, { passwordHash, hostKey }: SeedSecrets): object {
  const root = machine.username === 'root'
  return {
    hostname: machine.hostname,
    manage_etc_hosts: true,
    disable_root: !root,
    ssh_pwauth: true,
    users: root
      ? []
      : [
          {
            name: machine.username,
            shell: '/bin/bash',
            sudo: 'ALL=(ALL) NOPASSWD:ALL',
            lock_passwd: false,
            ssh_authorized_keys: machine.sshKeys,
          },
        ],
    ...(root && machine.sshKeys.length > 0 ? { ssh_authorized_keys: machine.sshKeys } : {}),
    // The proof tells the password to no other guest, and all who have the image know its key.
    ssh_deletekeys: true,
    ssh_keys: { ed25519_private: hostKey.privateKey, ed25519_public: hostKey.publicKey },
    chpasswd: { expire: false, users: [{ name: machine.username, password: passwordHash, type: 'hash' }] },
    write_files: [
      { path: '/etc/ssh/sshd_config.d/00-vps.conf', permissions: '0644', content: sshdConfig(machine.sshPort, root) },
      // The seed goes after the first boot; else cloud-init would take the machine for a new one and replace its
      // network and host keys.
      { path: '/etc/cloud/cloud.cfg.d/99-vps.cfg', permissions: '0644', content: 'manual_cache_clean: true\n' },
      ...passwordFiles,
    ],
    runcmd: [openPort(machine.sshPort), watchForPassword, installGuestAgent].map((script) => ['sh', '-c', script]),
  }
}

/** 00 stands before image and cloud-init: sshd takes the first value. */
function sshdConfig(port: number, root: boolean): string {
  return `Port ${port}\nPasswordAuthentication yes\n${root ? 'PermitRootLogin yes\n' : ''}UseDNS no\n`
}

/** Static in both families: routers are not asked, so no temporary addresses. */
function networkConfig({ mac, addresses, gateway, dns }: MachineDescription['network']): object {
  const gateways = [...addresses.map((one) => one.gateway), gateway].filter((one) => one !== null)
  const ways = [gateways.find((one) => !isIPv6(one)), gateways.find((one) => isIPv6(one))]
  const routes = ways.flatMap((via) =>
    // on-link: a /32 reaches its gateway, and a prefix one outside of it.
    via === undefined ? [] : [{ to: isIPv6(via) ? '::/0' : '0.0.0.0/0', via, 'on-link': true }],
  )
  return {
    version: 2,
    ethernets: {
      eth0: {
        match: { macaddress: mac },
        'accept-ra': false,
        addresses: addresses.map(({ address, prefix }) => `${address}/${prefix}`),
        ...(routes.length > 0 ? { routes } : {}),
        ...(dns.length > 0 ? { nameservers: { addresses: dns } } : {}),
      },
    },
  }
}

function json(value: object): string {
  const text = JSON.stringify(value, null, 2)
  return `${text.replace(notInYaml, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** As they are: a key's comment may hold any sign. */
const notInYaml = /[\u007f-\u009f\ufffe\uffff]/g
