import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { remoteLimits } from '@vps/shared/remote'
import { useCallback, useEffect, useRef, useState } from 'react'
import styled from 'styled-components'
import { font } from '../../theme/tokens'
import { controlByte, serialBytes, type KeyName } from './keys'
import { Place } from './Place'
import type { RemoteInput } from './remote-input'
import { openWithSheets } from './sheets'
import { useRemoteLink } from './use-remote-link'
import type { ViewProps } from './view-props'

const { messageBytes } = remoteLimits

/** What its last start wrote, then what comes. */
export default function SerialView({ serverId, onRemote }: ViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const [terminal] = useState(createTerminal)

  useEffect(() => {
    if (!place.current) return
    const fitting = new FitAddon()
    openIn(place.current, terminal, fitting)
    const watching = new ResizeObserver(() => fitting.fit())
    watching.observe(place.current)
    return () => {
      watching.disconnect()
      terminal.dispose()
    }
  }, [terminal])

  const attach = useCallback(
    (socket: WebSocket) => {
      terminal.reset()
      socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => terminal.write(new Uint8Array(data)))
      const typed = terminal.onData((text) => {
        if (socket.readyState !== WebSocket.OPEN) return
        const bytes = new TextEncoder().encode(text)
        for (let at = 0; at < bytes.length; at += messageBytes) socket.send(bytes.subarray(at, at + messageBytes))
      })
      return () => typed.dispose()
    },
    [terminal],
  )
  const { state, again } = useRemoteLink(serverId, 'serial', attach)

  useEffect(() => {
    const heard = state.is === 'open' || state.is === 'silent'
    onRemote({ state, again, input: heard ? inputOf(terminal) : null })
  }, [onRemote, state, again, terminal])

  return (
    <Edge>
      <Place ref={place} />
    </Edge>
  )
}

function createTerminal(): Terminal {
  return new Terminal({
    fontFamily: font.family.mono,
    fontSize: 14,
    scrollback: 5_000,
    screenReaderMode: true,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
}

function openIn(place: HTMLElement, terminal: Terminal, fitting: FitAddon): void {
  terminal.loadAddon(fitting)
  openWithSheets(() => terminal.open(place))
  terminal.options.theme = themeOf(place)
  fitting.fit()
}

/** A terminal takes colours, not variables. */
function themeOf(element: HTMLElement) {
  const style = getComputedStyle(element)
  const valueOf = (name: string) => style.getPropertyValue(name).trim()
  return { background: valueOf('--night'), foreground: valueOf('--onNight'), cursor: valueOf('--lamp') }
}

function inputOf(terminal: Terminal): RemoteInput {
  const bytesOf = (names: readonly KeyName[]) => names.map((name) => serialBytes[name])
  return {
    press: (names) => terminal.input(bytesOf(names.filter((name) => name !== 'alt' && name !== 'control')).join('')),
    understands: (names) => bytesOf(names).every((bytes) => bytes !== undefined),
    focus: () => terminal.focus(),
    release: () => {},
    async type(text, { held = [] } = {}) {
      const typed = held.includes('control') ? controlByte(text) : text.replaceAll(/\r?\n/g, '\r')
      // As a terminal sends Alt.
      terminal.input(held.includes('alt') ? serialBytes.escape + typed : typed)
    },
  }
}

const Edge = styled.div`
  position: absolute;
  inset: 8px 8px 0 12px;
`
