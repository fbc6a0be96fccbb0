import { randomUUID } from 'node:crypto'
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { BackupRepository, ClaimedJob } from '@vps/shared/agent.contract'
import { repositoryProblemIn } from '@vps/shared/backups'
import type { JobPayload } from '@vps/shared/jobs.contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Hypervisor } from '../../packages/agent/src/hypervisor/hypervisor.js'
import { run } from '../../packages/agent/src/hypervisor/virsh/run.js'
import { openVirsh } from '../../packages/agent/src/hypervisor/virsh/virsh.js'
import { runJob } from '../../packages/agent/src/jobs/run-job.js'
import { Stopped } from '../../packages/agent/src/jobs/stopped.js'
import { openMemory } from '../../packages/agent/src/memory.js'
import { quietPresence } from '../../packages/agent/src/testing/agent.js'
import { backupContract } from '../../packages/agent/src/testing/backup-contract.js'
import { freezeAt } from '../../packages/agent/src/testing/freeze.js'
import { machine } from '../../packages/agent/src/testing/machines.js'
import { lacksObjectStores, startRestServer, startSwift } from '../../packages/agent/src/testing/object-stores.js'
import type { Installed } from '../../packages/agent/src/testing/installed.js'
import { endless, filesHolding, killingAt, machineAt, makeHostFolder, patient, settingsOf, sshLogin } from './host.js'

/** The seam's contract to a folder, the jobs over SFTP, S3 and REST. */

const folder = makeHostFolder()
const password = 'Chosen-By-Customer-7'
const made = { epoch: 1, number: 1 }
const repository: BackupRepository = {
  url: path.join(folder.folder, 'repository'),
  password: 'Of-The-Repository-1',
  environment: {},
  uploadLimitKib: 0,
}
let hypervisor: Hypervisor

beforeAll(async () => {
  hypervisor = openVirsh(settingsOf(folder))
  await hypervisor.open()
})

type Given = {
  number?: number
  at?: BackupRepository
  secret?: string
  signal?: AbortSignal
  through?: Hypervisor
  limits?: typeof patient
}

async function perform(serverId: string, payload: JobPayload, given: Given = {}) {
  const {
    number = 1,
    at = repository,
    signal = new AbortController().signal,
    through = hypervisor,
    secret = password,
    limits = patient,
  } = given
  const rest = { attempt: 1, leaseSeconds: 40, secrets: { password: secret }, repository: at }
  const job: ClaimedJob = { id: randomUUID(), serverId, generation: { epoch: 1, number }, payload, ...rest }
  const deps = {
    hypervisor: through,
    presence: quietPresence(through),
    memory: openMemory(folder.stateDir),
    limits,
  }
  return runJob(job, [], deps, signal, async () => {})
}

/** Of this number's address. */
const described = (number: number) => machineAt(number, { diskGb: 1 })

/** Until its login is proven. */
async function install(number: number): Promise<string> {
  const serverId = randomUUID()
  const result = await perform(serverId, { kind: 'install', machine: described(number) })
  expect(result).toEqual({ ok: true, power: 'on', proven: true })
  return serverId
}

const hostKeyOf = async (serverId: string) => (await openMemory(folder.stateDir).hostKeyOf(serverId, made))!

describe('the contract of the seam', () => {
  let installed: Installed
  beforeAll(async () => {
    const serverId = await install(2)
    installed = { hypervisor, serverId, password, access: accessOf(machine()), hostKey: await hostKeyOf(serverId) }
  })
  backupContract(() => ({ ...installed, repository }))
})

describe('over SFTP, as a customer sees them', () => {
  let serverId: string
  let hostKey: string
  let sftp: Awaited<ReturnType<typeof startSftp>>
  const backupId = randomUUID()
  const inside = (command: string) => sshLogin('10.77.0.3', 2222, password, command)
  /** For restic by hand. */
  const envOf = (below: string) => ({
    ...process.env,
    RESTIC_REPOSITORY: `${sftp.at.url}/${below}`,
    RESTIC_PASSWORD: sftp.at.password,
  })
  const take = (id = backupId): JobPayload => ({ kind: 'backup', backupId: id })
  const restore = (): JobPayload => ({ kind: 'restore', backupId, machine: described(3), hostKey })
  beforeAll(async () => {
    sftp = await startSftp()
    serverId = await install(3)
    hostKey = await hostKeyOf(serverId)
    await inside('echo before > /root/file; sync')
  })
  afterAll(() => sftp?.stop())

  test('what an agent that was killed has left of one does not count, and the next is whole', async () => {
    // restic keeps what came before its input ended.
    const env = envOf(serverId)
    for (const args of [['init'], ['backup', '--stdin', '--stdin-filename', `disk.${1024 ** 3}.tar`, '--tag', 'half']])
      expect(spawnSync('restic', ['--no-cache', '-q', ...args], { env, input: 'the first bytes' }).status).toBe(0)
    const copying = { signal: new AbortController().signal, tell: async () => {} }
    const bring = () =>
      hypervisor.restoreDisk(
        serverId,
        described(3),
        { epoch: 1, number: 2 },
        { backupId, repository: sftp.at },
        copying,
      )
    await expect(bring()).rejects.toThrow('there is no such backup')
    expect(await perform(serverId, take(), { at: sftp.at })).toMatchObject({
      ok: true,
      power: 'on',
      backup: { hostKey },
    })
    const listed = spawnSync('restic', ['--no-cache', 'snapshots', '--json'], { env }).stdout.toString()
    expect(JSON.parse(listed)).toMatchObject([{ tags: [backupId] }])
    expect(filesHolding(repository.password, folder.stateDir, sftp.folder)).toEqual([])
  })

  test('while it is copied the guest writes on, and a forced stop and a start wait for nothing', async () => {
    const [id, shares] = [randomUUID(), new Set<number>()]
    const noise = 'dd if=/dev/urandom of=/root/noise bs=64k count=200; sync'
    await inside(noise)
    const writing = inside(noise)
    const at = { ...sftp.at, uploadLimitKib: 1024 }
    const tellRestic = (signal: string) => spawnSync('pkill', [`-${signal}`, '-x', 'restic']).status
    const acts = new Promise<void>((resolve, reject) => {
      const through: Hypervisor = {
        ...hypervisor,
        backUp: async (server, place, copying) => {
          const copied = hypervisor.backUp(server, place, copying).finally(() => shares.add(1))
          // Else a slow guest would be later than it.
          await expect.poll(() => spawnSync('pgrep', ['-x', 'qemu-nbd']).status).toBe(0)
          await expect.poll(() => tellRestic('STOP')).toBe(0)
          await writing
          await hypervisor.cutPower(serverId)
          await hypervisor.start(serverId)
          expect(shares).not.toContain(1)
          tellRestic('CONT')
          return copied
        },
      }
      perform(serverId, take(id), { at, through }).then((result) => {
        expect(result).toMatchObject({ ok: true, power: 'on' })
        resolve()
      }, reject)
    })
    await acts
    expect(await perform(serverId, { kind: 'deleteBackup', backupId: id }, { at: sftp.at })).toMatchObject({ ok: true })
    await hypervisor.awaitBoot(serverId, accessOf(described(3)), AbortSignal.timeout(patient.bootMs))
  })

  test('agent and libvirtd killed at each act change nothing of the end, and leave no snapshot', async () => {
    const id = randomUUID()
    for (const verb of ['takeSnapshot', 'backUp', 'deleteSnapshot'] as const) {
      const killed = freezeAt(hypervisor, verb, 'after')
      await killed.reachedIn(perform(serverId, take(id), { at: sftp.at, through: killed.hypervisor, limits: endless }))
    }
    const { hypervisor: through, left } = killingAt(hypervisor, ['takeSnapshot', 'backUp', 'deleteSnapshot'])
    expect(await perform(serverId, take(id), { at: sftp.at, through })).toMatchObject({ ok: true, power: 'on' })
    expect(left()).toEqual([])
    expect((await hypervisor.find(serverId)).snapshots).toEqual([])
  })

  test('one that is told to end gives way at once', async () => {
    const work = new AbortController()
    const running = perform(serverId, take(randomUUID()), { at: sftp.at, signal: work.signal })
    await expect.poll(() => spawnSync('pgrep', ['-x', 'qemu-nbd']).status).toBe(0)
    work.abort(new Stopped('abort'))
    expect(await running).toMatchObject({ ok: false, aborted: true, power: 'on' })
    expect(spawnSync('pgrep', ['-x', 'restic|nbdinfo|qemu-nbd']).status).toBe(1)
    expect((await hypervisor.find(serverId)).snapshots).toEqual([])
  })

  test('a repository that is away costs nothing but the try, and its address and password are not told', async () => {
    await inside('echo after > /root/file; sync')
    const away = { ...sftp.at, url: sftp.at.url.replace('backups:', 'nowhere:') }
    const result = await perform(serverId, restore(), { number: 2, at: away })
    expect(result).toMatchObject({ ok: false, final: false, message: '备份存储暂时不可用', power: 'on' })
    expect(JSON.stringify(result)).not.toContain(away.password)
    expect(await inside('cat /root/file')).toBe('after')
  })

  test('a restore brings back the disk of then, thin, and a login is proven', async () => {
    const result = await perform(serverId, restore(), { number: 3, at: sftp.at })
    expect(result, JSON.stringify(result)).toEqual({ ok: true, power: 'on', proven: true })
    expect(await inside('cat /root/file')).toBe('before')
    const used = await run('du', ['-k', path.join(folder.storageDir, `${serverId}.1.3.qcow2`)])
    expect(Number(used.split('\t')[0])).toBeLessThan(1024 * 1024)
  })

  test('each week it is looked at: damage is told, and libvirtd killed meanwhile is nobody’s concern', async () => {
    const check: JobPayload = {
      kind: 'checkBackups',
      repositoryId: randomUUID(),
      backupIds: [backupId],
      part: 1,
      parts: 1,
    }
    const looked = async (through = hypervisor) => {
      const result = await perform(serverId, check, { number: 3, at: sftp.at, through })
      return result?.ok ? result.check : result
    }
    expect(await looked(killingAt(hypervisor, ['checkBackups']).hypervisor)).toEqual({ isWhole: true, detail: '' })
    const [pack] = filesBelow(path.join(sftp.folder, 'kept', serverId, 'data'))
    const bytes = readFileSync(pack!)
    writeOver(pack!, Buffer.concat([Buffer.from('damaged'), bytes.subarray(7)]))
    expect(await looked()).toEqual({
      isWhole: false,
      detail: expect.stringMatching(/does not match|verification failed/),
    })
    writeOver(pack!, bytes)
    const killed = freezeAt(hypervisor, 'checkBackups', 'after')
    await killed.reachedIn(
      perform(serverId, check, { number: 3, at: sftp.at, through: killed.hypervisor, limits: endless }),
    )
    expect(await looked()).toEqual({ isWhole: true, detail: '' })
    expect(readdirSync(path.join(sftp.folder, 'kept', serverId, 'locks'))).toEqual([])
  })

  test('a check that is told to end ends at once', async () => {
    const work = new AbortController()
    const check: JobPayload = { kind: 'checkBackups', repositoryId: randomUUID(), backupIds: [], part: 1, parts: 1 }
    const running = perform(serverId, check, { number: 3, at: sftp.at, signal: work.signal })
    await expect.poll(() => spawnSync('pgrep', ['-x', 'restic']).status).toBe(0)
    work.abort(new Stopped('abort'))
    expect(await running).toMatchObject({ ok: false, aborted: true, power: 'on' })
    await expect.poll(() => spawnSync('pgrep', ['-x', 'restic']).status).toBe(1)
  })

  test('its host tries it out, and tells each way of failing from the others, without a secret', async () => {
    const never = new AbortController().signal
    const told = async (at: Partial<BackupRepository>) => {
      const given = { ...sftp.at, ...at }
      const said = await hypervisor.testRepository(given, never).then(() => null, String)
      expect(said ?? '').not.toContain(given.password)
      return said === null ? 'works' : repositoryProblemIn(said)
    }
    expect(await told({})).toBe('works')
    const left = spawnSync('restic', ['--no-cache', 'snapshots', '--json', '--no-lock'], { env: envOf('portal-test') })
    expect(JSON.parse(left.stdout.toString())).toEqual([])
    expect(await told({ password: 'Of-Nobody-1' })).toBe('password')
    expect(await told({ url: 'sftp:nobody@127.0.0.1:/kept' })).toBe('unreachable')
    expect(await told({ url: 'rest:http://127.0.0.1:9/' })).toBe('unreachable')
    // restic loses what ssh said one time in eight, where that ends at once.
    for (let times = 0; times < 12; times += 1)
      expect(await told({ url: sftp.at.url.replace('backups:', 'keyless:') })).toBe('login')
    for (const [options, problem] of [
      ['ro', 'permission'],
      ['size=8k', 'space'],
    ] as const) {
      const place = path.join(folder.folder, problem)
      mkdirSync(place)
      await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place])
      expect(await told({ url: place })).toBe(problem)
    }
  })

  test('brought back over another server it is that one, beside its own, wherever agent and libvirtd are killed', async () => {
    const other = randomUUID()
    const machine = machineAt(4, { diskGb: 1, hostname: 'other' })
    const payload: JobPayload = { kind: 'restore', backupId, machine, hostKey: null, from: serverId }
    const given = { at: sftp.at, secret: 'Of-The-Other-4' }
    for (const verb of ['restoreDisk', 'createSeed', 'define', 'takeIdentity'] as const) {
      const killed = freezeAt(hypervisor, verb, 'after')
      await killed.reachedIn(perform(other, payload, { ...given, through: killed.hypervisor, limits: endless }))
    }
    const { hypervisor: through, left } = killingAt(hypervisor, ['takeIdentity', 'removeSeed'])
    const result = await perform(other, payload, { ...given, through })
    expect(result, JSON.stringify(result)).toEqual({ ok: true, power: 'on', proven: true })
    expect(left()).toEqual([])
    const there = (command: string) => sshLogin('10.77.0.4', 2222, given.secret, command)
    expect(await there('cat /root/file; hostname')).toBe('before\nother')
    expect(await there('cat /etc/ssh/ssh_host_ed25519_key.pub')).not.toBe(
      await inside('cat /etc/ssh/ssh_host_ed25519_key.pub'),
    )
    expect(await inside('hostname')).not.toBe('other')
    expect(await perform(other, { kind: 'destroy' }, { number: 2 })).toMatchObject({ ok: true, power: 'absent' })
  })

  test('a backup outlives its machine', async () => {
    expect(await perform(serverId, { kind: 'destroy' }, { number: 4 })).toMatchObject({ ok: true, power: 'absent' })
    const copying = { signal: new AbortController().signal, tell: async () => {} }
    const place = { backupId, repository: sftp.at }
    await hypervisor.restoreDisk(serverId, described(3), { epoch: 1, number: 5 }, place, copying)
    expect((await hypervisor.find(serverId)).disks).toEqual([{ epoch: 1, number: 5 }])
    // One kept byte for byte, as they were before, is the same.
    const whole = randomUUID()
    const [disk, raw] = [path.join(folder.storageDir, `${serverId}.1.5.qcow2`), path.join(folder.folder, 'disk.raw')]
    await run('qemu-img', ['convert', '-O', 'raw', disk, raw])
    const input = openSync(raw, 'r')
    const keep = ['--no-cache', '-q', 'backup', '--stdin', '--stdin-filename', 'disk.raw', '--tag', whole]
    expect(spawnSync('restic', keep, { env: envOf(serverId), stdio: [input, 'ignore', 'inherit'] }).status).toBe(0)
    closeSync(input)
    const before = { backupId: whole, repository: sftp.at }
    await hypervisor.restoreDisk(serverId, described(3), { epoch: 1, number: 6 }, before, copying)
    await run('qemu-img', ['compare', disk, path.join(folder.storageDir, `${serverId}.1.6.qcow2`)])
    expect(await perform(serverId, { kind: 'destroy' }, { number: 7 })).toMatchObject({ ok: true, power: 'absent' })
  })
})

describe('at object stores, a running machine', () => {
  let serverId: string
  let hostKey: string
  const machine = described(5)
  const inside = (command: string) => sshLogin('10.77.0.5', 2222, password, command)
  beforeAll(async () => {
    if (lacksObjectStores) throw new Error(lacksObjectStores)
    serverId = await install(5)
    hostKey = await hostKeyOf(serverId)
  })

  test.each([
    ['S3', startSwift, 2],
    ['REST', startRestServer, 3],
  ] as const)('is kept by %s and comes back as it was, wherever libvirtd is killed', async (_, start, number) => {
    const { at, stop } = await start()
    try {
      const backupId = randomUUID()
      await inside('echo before > /root/file; sync')
      const taking = killingAt(hypervisor, ['takeSnapshot', 'backUp', 'deleteSnapshot'])
      const taken = await perform(
        serverId,
        { kind: 'backup', backupId },
        { number: number - 1, at, through: taking.hypervisor },
      )
      expect(taken, JSON.stringify(taken)).toMatchObject({ ok: true, power: 'on', backup: { hostKey } })
      await inside('echo after > /root/file; sync')
      const { hypervisor: through, left } = killingAt(hypervisor, ['restoreDisk', 'define'])
      const restored = await perform(serverId, { kind: 'restore', backupId, machine, hostKey }, { number, at, through })
      expect(restored, JSON.stringify(restored)).toEqual({ ok: true, power: 'on', proven: true })
      expect([...taking.left(), ...left()]).toEqual([])
      expect(await inside('cat /root/file')).toBe('before')
    } finally {
      await stop()
    }
  })
})

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

/** restic's packs are read-only. */
function writeOver(file: string, bytes: Buffer): void {
  chmodSync(file, 0o600)
  writeFileSync(file, bytes)
}

/** OpenSSH's own server, and what ssh needs to reach it as `backups`. */
async function startSftp() {
  const own = path.join(folder.folder, 'sftp')
  mkdirSync(path.join(own, 'kept'), { recursive: true })
  for (const key of ['host', 'client'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(own, key)])
  appendFileSync(path.join(own, 'authorized'), readFileSync(path.join(own, 'client.pub')), { mode: 0o600 })
  mkdirSync('/run/sshd', { recursive: true })
  const config = [
    'ListenAddress 127.0.0.1:2200',
    `HostKey ${own}/host`,
    `AuthorizedKeysFile ${own}/authorized`,
    'PasswordAuthentication no',
    'StrictModes no',
    'PermitRootLogin yes',
    'UsePAM no',
    `PidFile ${own}/pid`,
    'Subsystem sftp internal-sftp',
  ]
  appendFileSync(path.join(own, 'config'), `${config.join('\n')}\n`)
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', path.join(own, 'config')], { stdio: 'ignore' })
  // In the host's own settings: ssh asks the password file, not HOME, where its user's are.
  const client = ['Host backups', 'HostName 127.0.0.1', 'Port 2200', 'User root', `IdentityFile ${own}/client`]
  client.push('Host keyless', 'HostName 127.0.0.1', 'Port 2200', 'User root', 'PubkeyAuthentication no')
  client.push('Host *', 'StrictHostKeyChecking no', 'UserKnownHostsFile /dev/null', 'LogLevel ERROR')
  appendFileSync(path.join(own, 'ssh_config'), `${client.join('\n')}\n`)
  await run('mount', ['--bind', path.join(own, 'ssh_config'), '/etc/ssh/ssh_config'])
  return {
    folder: own,
    at: { ...repository, url: `sftp:backups:${own}/kept` },
    stop: () => void server.kill(),
  }
}
