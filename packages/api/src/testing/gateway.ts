import { startSandboxGateway } from '../../../demo/src/gateway/server.js'
import { startApp } from './app.js'
import { person } from './people.js'

export const merchant = { pid: '1001', key: 'a merchant key for tests' }

/** An application that asks its own sandbox gateway, and a customer. */
export async function openWithGateway() {
  const gateway = await startSandboxGateway(merchant)
  const app = await startApp({ config: { epay: { url: gateway.url, ...merchant, confirm: 'query' } } })
  const lin = await person(app, 'lin')
  async function close(): Promise<void> {
    await app.close()
    await gateway.stop()
  }
  return { gateway, app, lin, close }
}
