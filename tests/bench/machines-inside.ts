/**
 * Inside a host of its own (tests/vm/enter.sh): machines by the agent, by hand and by virt-install; prints milliseconds
 * as JSON.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createHostKey } from '../../packages/agent/src/host-key.js'
import { accessOf } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { domainXml } from '../../packages/agent/src/hypervisor/virsh/domain-xml.js'
import { openHost } from '../../packages/agent/src/hypervisor/virsh/host.js'
import { hashPassword } from '../../packages/agent/src/hypervisor/virsh/password-hash.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { seedFiles } from '../../packages/agent/src/hypervisor/virsh/seed-image.js'
import { logIn, readBanner } from '../../packages/agent/src/hypervisor/ssh-proof.js'
import { machine, order } from '../../packages/agent/src/testing/machines.js'
import { ScriptedApi } from '../../packages/agent/src/testing/scripted-api.js'
import { guestImage, makeHostFolder, settingsOf, startAgentProcess, virsh } from '../vm/host.js'
import type { MachineTimes } from './cases/machines.js'
import { memoryOf } from './world/program.js'

const rounds = Number(process.argv[2])
const password = 'Measured-By-Bench-3'
const made = { epoch: 1, number: 1 }
const folder = makeHostFolder()
const host = openHost(settingsOf(folder))

/** From the hand-out of the job; a first one makes the image's base. */
async function byAgent(api: ScriptedApi): Promise<{ running: number; proven: number; steps: Record<string, number> }> {
  const serverId = randomUUID()
  const from = Date.now()
  const { id, result } = api.enqueue(order(serverId, { kind: 'install', machine: machine() }, { password }))
  const { ok } = await result
  const proven = Date.now() - from
  if (!ok) throw new Error('the install failed')
  const steps = api.stepsOf(id)
  const running = Date.parse(steps.find(({ name }) => name === 'startMachine')?.finishedAt ?? '') - from
  await api.enqueue(order(serverId, { kind: 'destroy' })).result
  const took = (step: (typeof steps)[number]) => Date.parse(step.finishedAt ?? '') - Date.parse(step.startedAt ?? '')
  return { running, proven, steps: Object.fromEntries(steps.map((step) => [step.name, took(step)])) }
}

/** The same definition, seed and base; the login as soon as there is one. */
async function byHand(base: string): Promise<{ running: number; proven: number }> {
  const [serverId, hostKey, description] = [randomUUID(), createHostKey(), machine()]
  const dir = path.join(folder.folder, serverId)
  mkdirSync(dir)
  const [diskPath, seedPath] = [path.join(dir, 'disk.qcow2'), path.join(dir, 'seed.iso')]
  const serialLogPath = path.join(dir, 'serial.log')
  const parts = { serverId, machine: description, generation: made, diskPath, seedPath, serialLogPath }
  const xml = domainXml(parts, await host.can())
  writeFileSync(path.join(dir, 'domain.xml'), xml)
  const passwordHash = await hashPassword(password)
  const files = Object.entries(seedFiles(serverId, description, { passwordHash, hostKey }))
  for (const [name, text] of files) writeFileSync(path.join(dir, name), text)
  const commands = [
    `cd ${dir}`,
    `qemu-img create -q -f qcow2 -b ${base} -F qcow2 disk.qcow2 ${description.diskGb}G`,
    `genisoimage -quiet -output seed.iso -volid cidata -joliet -rock ${files.map(([name]) => name).join(' ')}`,
    'virsh -q -c qemu:///system define domain.xml',
    `virsh -q -c qemu:///system start ${serverId}`,
  ]
  const from = performance.now()
  await run('bash', ['-ec', commands.join('\n')])
  const running = performance.now() - from
  const access = accessOf(description)
  while ((await readBanner(access.address, access.port, 3000)) === null) await pause(50)
  while (
    !(await logIn(access, password, hostKey.fingerprint).then(
      () => true,
      () => false,
    ))
  )
    await pause(50)
  const proven = performance.now() - from
  await virsh(['destroy', serverId])
  await virsh(['undefine', serverId])
  return { running, proven }
}

/** Null where it is not installed (Debian: virtinst). */
async function byVirtInstall(base: string): Promise<number | null> {
  if (!existsSync('/usr/bin/virt-install')) return null
  const name = `by-virt-install-${randomUUID().slice(0, 8)}`
  const dir = path.join(folder.folder, name)
  mkdirSync(dir)
  for (const file of ['meta-data', 'user-data']) writeFileSync(path.join(dir, file), '#cloud-config\n{}\n')
  const disk = `path=${dir}/disk.qcow2,size=2,backing_store=${base},backing_format=qcow2,format=qcow2,bus=virtio`
  const from = performance.now()
  const options = `--connect qemu:///system --import --name ${name} --memory 512 --vcpus 1 --virt-type qemu --cpu qemu64
    --disk ${disk} --network bridge=br0,model=virtio --cloud-init user-data=${dir}/user-data,meta-data=${dir}/meta-data
    --osinfo detect=on,require=off --graphics vnc,listen=127.0.0.1 --noautoconsole --quiet`
  await run('env', [`HOME=${dir}`, `XDG_CACHE_HOME=${dir}`, 'virt-install', ...options.split(/\s+/)])
  const took = performance.now() - from
  await virsh(['destroy', name])
  await virsh(['undefine', name])
  return took
}

async function memoryWithMany(): Promise<number> {
  const api = new ScriptedApi()
  await api.listen()
  const env = { API_URL: api.url, AGENT_TOKEN: api.hostToken, HYPERVISOR: 'simulated', SIMULATED_INSTALL_MS: '300' }
  const agent = startAgentProcess(makeHostFolder(null), env)
  const installs = Array.from({ length: 50 }, () =>
    api.enqueue(order(randomUUID(), { kind: 'install', machine: machine() }, { password })),
  )
  await Promise.all(installs.map(({ result }) => result))
  while ((api.reports.at(-1)?.domains.length ?? 0) < installs.length) await pause(200)
  const bytes = memoryOf(agent.pid)
  await agent.kill('SIGTERM')
  await api.close()
  return bytes / 2 ** 20
}

async function main(): Promise<void> {
  const base = path.join(folder.folder, 'base.qcow2')
  // virt-install keeps a pool there.
  mkdirSync('/var/lib/libvirt/boot', { recursive: true })
  await run('cp', [guestImage(), base])
  const api = new ScriptedApi()
  await api.listen()
  const agent = startAgentProcess(folder, { API_URL: api.url, AGENT_TOKEN: api.hostToken })
  const times: MachineTimes = { agent: [], hand: [], virtInstall: [], memoryMb: 0 }
  await byAgent(api)
  for (let round = 0; round < rounds; round++) {
    times.hand.push(await byHand(base))
    const took = await byVirtInstall(base)
    if (took !== null) times.virtInstall.push(took)
    times.agent.push(await byAgent(api))
  }
  await agent.kill('SIGTERM')
  await api.close()
  times.memoryMb = await memoryWithMany()
  console.log(JSON.stringify(times))
  process.exit(0)
}

await main()
