import novnc, { type RFB } from '@novnc/novnc/lib/rfb.js'
import { useCallback, useEffect, useRef, useState } from 'react'
import { keyOf, keys, type Key } from './keys'
import { Place } from './Place'
import type { RemoteInput } from './remote-input'
import type { ViewProps } from './view-props'
import { useRemoteLink } from './use-remote-link'

/** The machine's screen over VNC (RFC 6143), drawn by noVNC. */
export default function ScreenView({ serverId, fit, onRemote }: ViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const [rfb, setRfb] = useState<RFB | null>(null)

  const attach = useCallback((socket: WebSocket) => {
    if (!place.current) throw new Error('there is no place to draw')
    const made = new novnc.default(place.current, socket)
    made.background = 'transparent'
    const canvas = place.current.querySelector('canvas')
    canvas?.setAttribute('role', 'application')
    canvas?.setAttribute('aria-label', '服务器屏幕')
    setRfb(made)
    let ended = false
    made.addEventListener('disconnect', () => (ended = true))
    return () => {
      if (!ended) made.disconnect()
      setRfb((shown) => (shown === made ? null : shown))
    }
  }, [])
  const { state, again } = useRemoteLink(serverId, 'screen', attach)

  useEffect(() => {
    if (rfb) scale(rfb, fit)
  }, [rfb, fit])

  useEffect(() => {
    onRemote({ state, again, input: rfb && state.is === 'open' ? inputOf(rfb) : null })
  }, [onRemote, state, again, rfb])

  return <Place ref={place} />
}

function scale(rfb: RFB, fit: boolean): void {
  rfb.scaleViewport = fit
  rfb.clipViewport = !fit
  // A finger moves a picture larger than its place.
  rfb.dragViewport = !fit && matchMedia('(pointer: coarse)').matches
}

/** A guest reads its keyboard no faster. */
const betweenKeysMs = 12

function inputOf(rfb: RFB): RemoteInput {
  const send = ({ keysym, code }: Key, down: boolean) => rfb.sendKey(keysym, code, down)
  const press = (together: readonly Key[]) => {
    for (const key of together) send(key, true)
    for (const key of together.toReversed()) send(key, false)
  }
  return {
    press: (names) => press(names.map((name) => keys[name])),
    understands: () => true,
    focus: () => rfb.focus(),
    release: () => [keys.control, keys.alt, keys.shift].forEach((key) => send(key, false)),
    async type(text, { held = [], signal } = {}) {
      for (const character of text.replaceAll('\r\n', '\n')) {
        if (signal?.aborted) return
        const stroke = keyOf(character)
        if (!stroke) continue
        press([...held.map((name) => keys[name]), ...(stroke.shift ? [keys.shift] : []), stroke.key])
        await new Promise((resolve) => setTimeout(resolve, betweenKeysMs))
      }
    },
  }
}
