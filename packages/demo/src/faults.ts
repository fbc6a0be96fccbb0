/** Faults played on purpose: a silent host, a late gateway. */
import type { Deps } from '@vps/api/deps'
import { findHostByToken } from '@vps/api/fleet/hosts'
import { pageHosts } from '@vps/api/fleet/queries'
import type { FastifyInstance } from 'fastify'
import { faultsPage } from './faults-page.js'

const lostSeconds = 180
const lateSeconds = 120

const late = { notify: 'drop', query: 'unpaid' }

/** `now` in milliseconds. Demo only; not there in production. */
export function registerFaults(app: FastifyInstance, deps: Deps, now: () => number): void {
  const lostUntil = new Map<string, number>()
  let lateUntil = 0
  const secondsTo = (end = 0) => Math.max(0, Math.ceil((end - now()) / 1000))

  // As a cut cable: the agent runs on, unheard.
  app.addHook('onRequest', async ({ url, headers }, reply) => {
    if (lostUntil.size === 0 || !url.startsWith('/agent/')) return
    const host = await findHostByToken(deps.db, headers.authorization?.replace('Bearer ', '') ?? '')
    if (host && secondsTo(lostUntil.get(host.id)) > 0) return reply.code(503).send()
  })

  /** Ends by itself. */
  async function setLate(seconds: number): Promise<void> {
    lateUntil = now() + seconds * 1000
    await tellGateway(deps, seconds > 0 ? late : {})
    if (seconds > 0)
      setTimeout(
        () => {
          if (secondsTo(lateUntil) > 0) return
          // One that is gone plays nothing when it is back.
          tellGateway(deps, {}).catch((error: unknown) => deps.log.warn({ err: error }, 'the gateway was not told'))
        },
        seconds * 1000 + 500,
      ).unref()
  }

  void app.register((dev, _options, done) => {
    // A form sends its content type even without fields.
    dev.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, parsed) => parsed(null))
    dev.get('/dev/faults', async (_request, reply) => {
      const { content } = await pageHosts(deps.db, { page: 0, size: 20, order: 'name' })
      const hosts = content.map(({ id, name, alive }) => ({ id, name, alive, seconds: secondsTo(lostUntil.get(id)) }))
      const { html, headers } = faultsPage(hosts, secondsTo(lateUntil))
      return reply.headers(headers).send(html)
    })
    dev.post<{ Params: { id: string } }>('/dev/faults/hosts/:id', async ({ params: { id } }, reply) => {
      if (secondsTo(lostUntil.get(id)) > 0) lostUntil.delete(id)
      else lostUntil.set(id, now() + lostSeconds * 1000)
      return reply.redirect('/dev/faults', 303)
    })
    dev.post('/dev/faults/gateway', async (_request, reply) => {
      await setLate(secondsTo(lateUntil) > 0 ? 0 : lateSeconds)
      return reply.redirect('/dev/faults', 303)
    })
    done()
  })
}

/** Only the sandbox can be told. */
async function tellGateway({ config: { epay } }: Deps, faults: object): Promise<void> {
  if (!epay) return
  const body = JSON.stringify(faults)
  await fetch(new URL('sandbox/faults', `${epay.url}/`), { method: 'POST', body, signal: AbortSignal.timeout(5_000) })
}
