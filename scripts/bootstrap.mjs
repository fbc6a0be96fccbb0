// Brings what a command needs: npm packages with Node.js 24; with `build` the built packages; with `test` the Debian
// packages of the browser and machine tests. Plain Node from 20.19 on: nothing is installed yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline/promises'

const root = path.resolve(import.meta.dirname, '..')
const minute = 60_000
const mode = process.argv[2]

process.chdir(root)
refuseOldNode()
bringPackages()
chooseRuntime()
bringDatabaseUser()
if (mode === 'build') bringBuild()
if (mode === 'test') await bringDebianPackages()

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node.js 20.19 or newer is needed to begin with, this is ${process.versions.node}.`)
}

/** The running Node.js from 24 on, else the one from npm. */
function chooseRuntime() {
  const wanted =
    Number(process.versions.node.split('.')[0]) >= 24
      ? process.execPath
      : path.resolve(`node_modules/node-${process.platform}-${process.arch}/bin/node`)
  if (!fs.existsSync(wanted))
    fail(`Node.js 24 or newer is needed: npm has none for ${process.platform} on ${process.arch}.`)
  const link = 'node_modules/.bin/node'
  if (fs.existsSync(link) && fs.realpathSync(link) === fs.realpathSync(wanted)) return
  fs.rmSync(link, { force: true })
  fs.symlinkSync(wanted, link)
}

function bringPackages() {
  const lock = fs.readFileSync('package-lock.json')
  const hash = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')
  const noted = 'node_modules/.lock-hash'
  if (read(noted) === hash) return
  if (!installedMatches(JSON.parse(lock.toString()))) {
    step('installing the npm packages (about half a minute)')
    // NODE_ENV=production would leave out what builds and tests.
    npm(['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'])
  }
  fs.writeFileSync(noted, hash)
}

/** Also after a developer's `npm install`. */
function installedMatches(lock) {
  const installed = read('node_modules/.package-lock.json')
  if (!installed) return false
  const have = JSON.parse(installed).packages
  const wanted = Object.entries(lock.packages).filter(([where]) => where.startsWith('node_modules/'))
  // Optional packages of other platforms are not on the disk.
  const complete = wanted.every(([where, entry]) =>
    have[where] ? have[where].version === entry.version : entry.optional,
  )
  return complete && Object.keys(have).every((where) => where in lock.packages)
}

/** PostgreSQL refuses root, initdb a user without an entry in /etc/passwd. */
function bringDatabaseUser() {
  if (process.getuid?.() !== 0) return
  if (/^(postgres|vps-portal):/m.test(fs.readFileSync('/etc/passwd', 'utf8'))) return
  step('making the system user vps-portal, as whom the embedded database runs')
  run(
    'useradd',
    ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', 'vps-portal'],
    minute,
  )
}

function bringBuild() {
  step('building the packages, where they have changed')
  const quietly = ['--output-logs=errors-only', '--log-order=grouped']
  run(process.execPath, ['node_modules/turbo/bin/turbo', 'run', 'build', ...quietly], 10 * minute, { quiet: true })
}

/** Only as root, with CI set or the person's consent. */
async function bringDebianPackages() {
  const groups = JSON.parse(fs.readFileSync('scripts/debian-packages.json', 'utf8'))
  const installed = installedDebianPackages(groups.flatMap((group) => group.packages))
  if (!installed)
    return note(
      `not a Debian system: without ${groups.map((group) => `its packages the ${group.for}`).join(' and ')} are skipped`,
    )
  const lacking = groups
    .map((group) => ({ ...group, packages: group.packages.filter((name) => !installed.has(name)) }))
    .filter((group) => group.packages.length > 0)
  if (lacking.length === 0) return
  const names = [...new Set(lacking.flatMap((group) => group.packages))]
  const purpose = lacking.map((group) => group.for).join(' and ')
  if (
    process.getuid?.() !== 0 ||
    !(process.env.CI || (await consents(`Install ${names.join(' ')} for the ${purpose}?`)))
  ) {
    const sudo = process.getuid?.() === 0 ? '' : 'sudo '
    return note(
      `${purpose} are skipped; to run them: ${sudo}apt-get install --no-install-recommends ${names.join(' ')}`,
    )
  }
  step(`installing Debian packages for the ${purpose} (a minute or two)`)
  const apt = (...args) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', '-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 20 * minute,
    })
  const updated = apt('update')
  const add = (wanted) => apt('install', '-y', '--no-install-recommends', ...wanted).status === 0
  // One package that this Debian lacks must not keep the others away.
  const failed = add(names) ? [] : lacking.filter((group) => !add(group.packages))
  if (updated.status !== 0 || failed.length > 0)
    note(
      `apt-get did not succeed: ${(failed.length > 0 ? failed : lacking).map((group) => group.for).join(' and ')} may be skipped`,
    )
}

function installedDebianPackages(names) {
  const query = spawnSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n', ...names], {
    encoding: 'utf8',
    timeout: minute,
  })
  if (query.error) return undefined
  return new Set(
    query.stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  )
}

async function consents(question) {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const terminal = readline.createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [Y/n] `)
  terminal.close()
  return /^(y|yes)?$/i.test(answer.trim())
}

function npm(args) {
  // The npm that called us; there may be no other.
  const cli = process.env.npm_execpath
  if (cli?.endsWith('.js')) run(process.execPath, [cli, ...args], 15 * minute)
  else run('npm', args, 15 * minute)
}

function run(command, args, timeout, { quiet = false } = {}) {
  const env = {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    npm_config_update_notifier: 'false',
  }
  const said = quiet ? 'pipe' : 'inherit'
  const result = spawnSync(command, args, { stdio: ['ignore', said, said], timeout, env, encoding: 'utf8' })
  if (result.status !== 0 && quiet) console.error(result.stdout, result.stderr)
  if (result.status !== 0) fail(`${path.basename(command)} ${args.slice(0, 3).join(' ')} failed; see the lines above.`)
}

function read(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

function step(text) {
  console.log(`→ ${text}`)
}

function note(text) {
  console.log(`! ${text}`)
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
