import styled, { createGlobalStyle } from 'styled-components'
import type { ReactNode } from 'react'
import { color, shadow, unprinted } from '../theme/tokens'

/** The page's end, and whatever gets the focus, stay above it. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <>
      <KeepAbove />
      <Bar>{children}</Bar>
    </>
  )
}

const height = 60

const KeepAbove = createGlobalStyle`
  html {
    --bottom-bar: ${height}px;
    scroll-padding-bottom: ${height + 12}px;
  }

  body {
    padding-bottom: ${height}px;
  }
`

const Bar = styled.div`
  position: fixed;
  z-index: 90;
  right: 0;
  bottom: 0;
  left: 0;
  display: flex;
  align-items: center;
  gap: 12px;
  min-height: ${height}px;
  padding: 8px max(16px, env(safe-area-inset-right)) max(8px, env(safe-area-inset-bottom))
    max(16px, env(safe-area-inset-left));
  border-top: 1px solid ${color.line};
  background: ${color.raised};
  box-shadow: ${shadow.menu};

  > * {
    flex: 1;
  }

  ${unprinted}
`
