import { startSandboxGateway } from './server.js'

const { EPAY_PID: pid, EPAY_KEY: key, HOST: host, PORT: port, PUBLIC_URL: publicUrl, DATA_DIR: dataDir } = process.env
if (!pid || !key) refuse('EPAY_PID and EPAY_KEY are not set.')
if (process.env['NODE_ENV'] === 'production') refuse('The sandbox gateway is refused when NODE_ENV=production.')

const gateway = await startSandboxGateway({
  pid,
  key,
  port: Number(port ?? 0),
  ...(host && { host }),
  ...(publicUrl && { publicUrl }),
  ...(dataDir && { dataDir }),
}).catch((error: NodeJS.ErrnoException) =>
  refuse(
    error.code === 'EADDRINUSE' ? `Port ${port} is taken.` : `The sandbox gateway did not start: ${error.message}`,
  ),
)
process.stdout.write(`sandbox gateway on ${gateway.url}\n`)

const stop = () => void gateway.stop().then(() => process.exit(0))
process.on('SIGINT', stop).on('SIGTERM', stop)

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
