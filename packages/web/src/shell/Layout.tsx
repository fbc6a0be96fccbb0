import { useEffect, useRef, type ReactNode } from 'react'
import styled from 'styled-components'
import { useLocation } from 'wouter'
import { NoticeBanner } from '../announcements/NoticeBanner'
import { color, media, radius, size } from '../theme/tokens'
import { fillsWindow } from '../paths'
import { enterMain } from '../ui/focus-main'
import { Footer } from './Footer'
import { Header } from './Header'
import { OfflineLine } from './OfflineLine'
import { ProfileKeeper } from './ProfileKeeper'

/** Not around pages that fill the window. */
export function Layout({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  const shown = useRef(path)
  const whole = fillsWindow(path)

  // Another page starts at its top, and the focus leaves the link that is gone.
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    window.scrollTo(0, 0)
    enterMain()
  }, [path])

  return (
    <Column>
      <Skip href="#main">跳到主要内容</Skip>
      {!whole && <Header />}
      <OfflineLine />
      {!whole && <NoticeBanner />}
      <Main id="main" ref={main} tabIndex={-1}>
        {children}
      </Main>
      {!whole && <Footer />}
      <ProfileKeeper />
    </Column>
  )
}

const Column = styled.div`
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
`

const Main = styled.main`
  flex: 1;
  min-width: 0;
  /* A whole screen, so that the footer does not move while a page is loading. */
  min-height: calc(100dvh - ${size.bar});

  ${media.phone} {
    min-height: calc(100dvh - ${size.barPhone});
  }

  outline: none !important;
`

const Skip = styled.a`
  position: absolute;
  z-index: 1001;
  top: 8px;
  left: 8px;
  padding: 8px 16px;
  border-radius: ${radius.control};
  background: ${color.primary.fill};
  color: ${color.primary.onFill};

  &:not(:focus) {
    width: 1px;
    height: 1px;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }
`
