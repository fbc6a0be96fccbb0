import ssh2 from 'ssh2'
import { freePort } from '../../../../tests/setup/free-port.js'

export type SshMachine = {
  port: number
  password: string
  commands: string[]
  broken: boolean
  /** chpasswd succeeds, and the connection breaks first. */
  loseAnswers: boolean
  /** What its shell prints as it starts. */
  banner: string | null
  runsNothing: boolean
  /** How it takes passwords. */
  takes: 'password' | 'keyboard-interactive'
  refusals: number
  /** Of whoever gave the right password. */
  logins(): number
  /** Commands begin after it. */
  wait: Promise<void> | null
  goAway(): Promise<void>
  comeBack(): Promise<void>
  changeHostKey(): Promise<void>
  stop(): Promise<void>
}

/** On loopback: root's password, chpasswd, the measuring command. */
export async function startSshMachine(password: string): Promise<SshMachine> {
  let hostKey = newHostKey()
  let server = serve()
  let logins = 0
  const port = await freePort()
  await listen(server, port)
  const machine: SshMachine = {
    port,
    password,
    commands: [],
    broken: false,
    loseAnswers: false,
    banner: null,
    runsNothing: false,
    takes: 'password',
    refusals: 0,
    logins: () => logins,
    wait: null,
    async changeHostKey() {
      if (server.address()) await close(server)
      hostKey = newHostKey()
      server = serve()
      await listen(server, port)
    },
    goAway: () => close(server),
    async comeBack() {
      server = serve()
      await listen(server, port)
    },
    stop: async () => {
      if (server.address()) await close(server)
    },
  }

  function serve(): ssh2.Server {
    return new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => {})
      client.on('authentication', (attempt) => {
        const hear = (said: string | undefined) => {
          if (attempt.username === 'root' && said === machine.password) return attempt.accept()
          machine.refusals += 1
          attempt.reject([machine.takes])
        }
        if (attempt.method !== machine.takes) attempt.reject([machine.takes])
        else if (attempt.method === 'password') hear(attempt.password)
        else if (attempt.method === 'keyboard-interactive')
          attempt.prompt([{ prompt: 'Password: ', echo: false }], ([said]) => hear(said))
      })
      client.on('ready', () => void logins++)
      client.on('ready', () =>
        client.on('session', (accept) =>
          accept().on('exec', (acceptExec, _reject, { command }) => {
            const channel = acceptExec()
            if (machine.wait) void machine.wait.then(() => run(client, channel, command))
            else run(client, channel, command)
          }),
        ),
      )
    })
  }

  function run(client: ssh2.Connection, stream: ssh2.ServerChannel, command: string): void {
    machine.commands.push(command)
    const end = (code: number) => {
      stream.exit(code)
      stream.end()
    }
    if (command !== 'chpasswd') {
      if (machine.banner !== null) stream.write(machine.banner)
      if (command.includes('loadavg') && !machine.runsNothing)
        stream.write(
          '== figures ==\n0.50 0.40 0.30 1/100 1\n2\nMemTotal: 1000 kB\nMemAvailable: 250 kB\n/dev/vda1 100 40 60 40% /\n123.45\n',
        )
      return end(0)
    }
    let input = ''
    stream.on('data', (data: Buffer) => (input += data.toString()))
    stream.on('end', () => {
      const next = /^root:(.*)\n$/.exec(input)?.[1]
      if (machine.broken || next === undefined) {
        stream.stderr.write(`chpasswd: will not have ${next}\n`)
        return end(1)
      }
      machine.password = next
      if (machine.loseAnswers) client.end()
      else end(0)
    })
  }
  return machine
}

/** One in 170 that ssh2 writes cannot be read. */
export function newHostKey(): string {
  const key = ssh2.utils.generateKeyPairSync('ed25519').private
  return ssh2.utils.parseKey(key) instanceof Error ? newHostKey() : key
}

function listen(server: ssh2.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
}

const close = (server: ssh2.Server) => new Promise<void>((resolve) => server.close(() => resolve()))
