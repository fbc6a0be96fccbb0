import styled from 'styled-components'
import type { RemoteKind } from '@vps/shared/remote'
import { useEffect, useState } from 'react'
import { color, font, radius } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Spinner } from '../../ui/Spinner'
import type { Remote } from './view-props'

/** What stands in the way of the picture. */
export function LinkNote({ kind, remote: { state, again } }: { kind: RemoteKind; remote: Remote }) {
  if (state.is === 'open') return null
  // A silent serial line can be typed into all the same.
  if (state.is === 'silent' && kind === 'serial') return <Wake />
  return (
    <Over role="status">
      {state.is === 'ended' ? (
        <>
          <p>{state.why}</p>
          {state.again && <Waiting>正在重新连接…</Waiting>}
          <Button tone="primary" onClick={again}>
            重新连接
          </Button>
        </>
      ) : (
        <Waiting>{state.is === 'silent' ? '正在等待宿主机…' : '正在连接…'}</Waiting>
      )}
    </Over>
  )
}

const Waiting = ({ children }: { children: string }) => (
  <Wait>
    <Spinner />
    {children}
  </Wait>
)

const quietMs = 2_000

function Wake() {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(true), quietMs)
    return () => clearTimeout(timer)
  }, [])
  return <Hint role="status">{quiet && '已连接。没有输出时，按 Enter 唤醒终端。'}</Hint>
}

const Over = styled.div`
  position: absolute;
  inset: 0;
  display: grid;
  justify-items: center;
  align-content: center;
  gap: 16px;
  padding: 24px;
  text-align: center;
  color: ${color.onNight};
  background: color-mix(in srgb, ${color.night} 80%, transparent);
`

const Wait = styled.p`
  display: flex;
  align-items: center;
  gap: 10px;
  color: ${color.onNight2};
`

const Hint = styled.p`
  position: absolute;
  right: 0;
  bottom: 16px;
  left: 0;
  width: fit-content;
  margin: 0 auto;
  padding: 4px 12px;
  border-radius: ${radius.pill};
  ${font.xs}
  color: ${color.onNight2};
  pointer-events: none;
`
