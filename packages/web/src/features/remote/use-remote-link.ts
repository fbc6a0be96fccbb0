import {
  remoteEndOf,
  remoteEnds,
  remotePath,
  remoteProtocol,
  type RemoteEnd,
  type RemoteKind,
} from '@vps/shared/remote'
import * as text from '@vps/shared/text'
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf, statusOf } from '../../api/errors'
import { trpc } from '../../api/trpc'

/** `open` once the machine has said something; `ended` with why, and whether it is tried again. */
export type LinkState =
  | { is: 'opening' }
  | { is: 'silent' }
  | { is: 'open' }
  | { is: 'ended'; why: string; again: boolean }

/** A machine that starts anew is off for a moment, a host’s places are free again when others leave. */
const passing: readonly RemoteEnd[] = ['machine', 'off', 'restarted', 'unreachable', 'full']

/** A restart of the machine or of us, for which a proxy may answer, takes that long. */
const againMs = [1_000, 2_000, 3_000, 5_000, 5_000, 10_000, 10_000, 20_000, 30_000, 30_000]

/**
 * A new socket after an end that passes. `attach` gets each before anything came over it, and gives what lets go of it.
 */
export function useRemoteLink(serverId: string, kind: RemoteKind, attach: (socket: WebSocket) => () => void) {
  const { client } = trpc.useUtils()
  const [state, setState] = useState<LinkState>({ is: 'opening' })
  // Counted anew once a machine has answered.
  const [round, setRound] = useState(0)
  const tries = useRef(0)

  useEffect(() => {
    const left = new AbortController()
    let next: ReturnType<typeof setTimeout> | undefined

    function end(why: string, passes: boolean) {
      const wait = passes ? againMs[tries.current] : undefined
      tries.current += 1
      setState({ is: 'ended', why, again: wait !== undefined })
      if (wait !== undefined) next = setTimeout(() => setRound((n) => n + 1), wait)
    }

    async function open() {
      setState((shown) => (shown.is === 'ended' && shown.again ? shown : { is: 'opening' }))
      try {
        const { ticket } = await client.console.openRemote.mutate({ serverId, kind })
        if (!left.signal.aborted) connect(ticket)
      } catch (error) {
        if (!left.signal.aborted) end(messageOf(error), (statusOf(error) ?? 500) >= 500)
      }
    }

    function connect(ticket: string) {
      const socket = new WebSocket(remotePath, [remoteProtocol, ticket])
      socket.binaryType = 'arraybuffer'
      const detach = attach(socket)
      left.signal.addEventListener('abort', () => {
        detach()
        socket.close()
      })
      const listening = { signal: left.signal }
      socket.addEventListener('open', () => setState({ is: 'silent' }), listening)
      socket.addEventListener('message', () => opened(), { ...listening, once: true })
      socket.addEventListener(
        'close',
        ({ code }) => {
          detach()
          const why = remoteEndOf(code)
          end(why ? remoteEnds[why].text : text.networkError, why === null || passing.includes(why))
        },
        listening,
      )
    }

    function opened() {
      tries.current = 0
      setState({ is: 'open' })
    }

    void open()
    return () => {
      left.abort()
      clearTimeout(next)
    }
  }, [serverId, kind, attach, client, round])

  const again = useCallback(() => {
    tries.current = 0
    setState({ is: 'opening' })
    setRound((n) => n + 1)
  }, [])
  return { state, again }
}
