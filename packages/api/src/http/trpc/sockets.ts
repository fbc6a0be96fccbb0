import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { findSession, livingRoles, touchSession } from '../../accounts/sessions.js'
import type { User } from '../../actor.js'
import type { Deps } from '../../deps.js'
import { fail } from '../../errors.js'
import type { Notification } from '../../notifications/notification.js'
import { socketRouter } from './app-router.js'
import { namelessContext } from '../caller.js'
import { isBadFrame } from '../bad-frames.js'
import { cutOffEndless } from '../cut-off-endless.js'
import { addressBlock, plainAddress } from '../../rate-limits.js'
import { refusalOf } from '../../trpc/init.js'

const socketLimits = { perAddress: 200, perUser: 20, subscriptions: 20, signInSeconds: 10, lookAgainSeconds: 60 }
/** A browser sends a few as a page opens. */
const frameLimits = { frames: 200, seconds: 10 }
const sweepMs = 1_000
/** RFC 6455, 7.4. */
const [policyViolation, tryAgainLater] = [1008, 1013]

/**
 * Looks the session up every minute and at every message but pings; closes when its user's sessions,
 * role or profile change, and the browser comes again.
 */
export function registerSockets(app: FastifyInstance, deps: Deps): void {
  const open = new Map<WebSocket, OpenSocket>()
  const connect = getWSConnectionHandler({
    wss: app.websocketServer,
    router: socketRouter,
    keepAlive: { enabled: true, pingMs: 30_000, pongWaitMs: 5_000 },
    createContext: async ({ res, info }) => {
      const socket = open.get(res)
      await socket?.signIn(info.connectionParams?.token ?? null)
      return namelessContext(deps, socket)
    },
    onError: ({ error, path }) => {
      if (refusalOf(error).code === 'INTERNAL' && !isBadFrame(error.cause))
        deps.log.error({ err: error, path }, 'procedure failed')
    },
  })
  app.get('/trpc', { websocket: true }, (client, request: FastifyRequest) => {
    const address = plainAddress(request.ip)
    const block = addressBlock(address)
    if (count(open, (other) => other.block === block) >= socketLimits.perAddress) return client.close(tryAgainLater)
    const hasRoom = (user: User) => count(open, (other) => other.user?.id === user.id) < socketLimits.perUser
    const socket = new OpenSocket(client, deps, address, hasRoom)
    open.set(client, socket)
    cutOffEndless(client, frameLimits, deps.now)
    client.on('message', (data: Buffer) => socket.heard(data.toString()))
    client.once('close', () => open.delete(client))
    connect(client, request.raw)
  })

  const lookAgain = (wanted: (socket: OpenSocket) => boolean) => {
    const due = [...open.values()].filter(wanted)
    tryLookUp(due, deps)
  }
  const stop = deps.notifications.listen((notification: Notification | null) => {
    if (notification === null) return lookAgain(() => true)
    if (!('sessionsOf' in notification)) return
    for (const socket of open.values()) if (socket.user?.id === notification.sessionsOf) socket.end()
  })
  const sweep = setInterval(() => {
    for (const socket of open.values()) socket.closeIfNobody()
    // What watches it tells so, once.
    if (deps.health.answers) lookAgain((socket) => socket.isDue())
  }, sweepMs)
  app.addHook('preClose', async () => {
    clearInterval(sweep)
    stop()
  })
}

class OpenSocket {
  user: User | null = null
  readonly block: string
  private readonly openedAt: number
  private checkedAt: number
  private subscriptions = 0
  private looking: Promise<void> | null = null

  constructor(
    private readonly client: WebSocket,
    private readonly deps: Deps,
    readonly address: string,
    private readonly hasRoom: (user: User) => boolean,
  ) {
    this.block = addressBlock(address)
    this.openedAt = this.checkedAt = deps.now().getTime()
  }

  async signIn(token: string | null): Promise<void> {
    const session = token === null ? null : await findSession(this.deps.db, token)
    if (!session) return
    await touchSession(this.deps.db, session, this.deps.now())
    const user = { ...session, address: this.address }
    if (this.hasRoom(user)) this.user = user
    else this.client.close(tryAgainLater)
  }

  /** For one more subscription. UNAUTHENTICATED, TOO_MANY_REQUESTS. */
  async admit(signal: AbortSignal | undefined): Promise<User> {
    if (this.subscriptions >= socketLimits.subscriptions) fail('TOO_MANY_REQUESTS')
    this.subscriptions++
    try {
      await lookUp([this], this.deps)
      const user = this.user ?? fail('UNAUTHENTICATED')
      // Never told of one that was broken off meanwhile.
      if (signal?.aborted) this.subscriptions--
      else signal?.addEventListener('abort', () => this.subscriptions--, { once: true })
      return user
    } catch (error) {
      this.subscriptions--
      throw error
    }
  }

  heard(message: string): void {
    if (this.looking || message === 'PING' || message === 'PONG') return
    tryLookUp([this], this.deps)
  }

  async isSomebodys(): Promise<boolean> {
    await this.looking
    return this.user !== null
  }

  /** Until then nothing is told over this socket. */
  await(look: Promise<void>): void {
    this.looking = look
    void look.then(() => {
      if (this.looking === look) this.looking = null
    })
  }

  isDue(): boolean {
    return this.deps.now().getTime() - this.checkedAt >= socketLimits.lookAgainSeconds * 1000
  }

  closeIfNobody(): void {
    const age = this.deps.now().getTime() - this.openedAt
    if (!this.user && age >= socketLimits.signInSeconds * 1000) this.client.close(policyViolation)
  }

  found(role: string | undefined): void {
    this.checkedAt = this.deps.now().getTime()
    if (this.user && role !== this.user.role) this.end()
  }

  end(): void {
    this.user = null
    this.client.close(policyViolation)
  }
}

async function lookUp(sockets: readonly OpenSocket[], deps: Deps): Promise<void> {
  const sessions = sockets.flatMap(({ user }) => (user ? [user.sessionId] : []))
  if (sessions.length === 0) return
  const roles = await livingRoles(deps.db, sessions)
  for (const socket of sockets) if (socket.user) socket.found(roles.get(socket.user.sessionId))
}

/** The sweep repeats it. */
function tryLookUp(sockets: readonly OpenSocket[], deps: Deps): void {
  const look = lookUp(sockets, deps).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'sockets: sessions could not be looked up'),
  )
  for (const socket of sockets) socket.await(look)
}

function count(open: Map<WebSocket, OpenSocket>, is: (socket: OpenSocket) => boolean): number {
  let found = 0
  for (const socket of open.values()) if (is(socket)) found++
  return found
}
