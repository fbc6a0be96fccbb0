import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'

/** Shown while this device has no network. */
export function OfflineLine() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <Line>
          <WifiOff size={16} strokeWidth={1.75} aria-hidden />
          网络已断开
        </Line>
      )}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

const Line = styled.p`
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  padding: 6px 16px;
  background: ${color.warning.tint};
  color: ${color.warning.text};
  ${font.sm}
  ${font.strong}
`
