import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { LogIn, Menu as MenuIcon, Palette } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import styled from 'styled-components'
import { Link, useLocation } from 'wouter'
import { useSession } from '../api/session'
import { productShort } from '@vps/shared/brand'
import { paths } from '../paths'
import { color, font, media, size } from '../theme/tokens'
import { loadPart } from '../loading/load-part'
import { ButtonLink, IconButton } from '../ui/Button'
import { late } from '../ui/late'
import { MenuButton } from '../ui/MenuButton'
import { Opening } from '../ui/Opening'
import { NoticesLink } from '../announcements/NoticesLink'
import { GroupButton, navLook, UserButton } from './header-buttons'
import { isGroup, isWithin, navigationFor } from './navigation'
import { Shortcuts } from './Shortcuts'

// A visitor's first page does not need them.
const { Late: NavMenu, bring: bringGroups } = late(async () => (await import('./NavMenu')).default)
const { Late: GroupWaiting } = late(async () => (await import('./NavMenu')).GroupWaiting)
const { Late: UserMenu, bring: bringAccount } = late(async () => (await import('./UserMenu')).default)
const Drawer = lazy(() => import('./Drawer'))
const ThemePopup = lazy(() => import('./ThemePopup'))

/** The bar on top of every page. */
export function Header() {
  const { token, user } = useSession()
  const [path] = useLocation()
  const [drawerOpen, setDrawerOpen] = useState(false)
  const items = navigationFor({ token, user })
  // An administrator's menus may only have room in the drawer.
  const crowded = items.length > 4
  useEffect(() => {
    if (token) void loadPart(() => Promise.all([bringGroups(), bringAccount()]))
  }, [token])

  return (
    <Bar>
      <Inner>
        <Burger $crowded={crowded}>
          <IconButton label="打开菜单" aria-expanded={drawerOpen} onClick={() => setDrawerOpen(true)}>
            <MenuIcon size={20} strokeWidth={1.75} />
          </IconButton>
        </Burger>
        <Logo href={paths.home()} aria-label={`${productShort} 首页`}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          {productShort}
        </Logo>
        <Nav aria-label={labels.mainNavigation} $crowded={crowded}>
          {items.map((item) =>
            isGroup(item) ? (
              <MenuButton
                key={item.label}
                trigger={
                  <GroupButton label={item.label} current={item.entries.some(({ href }) => isWithin(path, href))}>
                    <Suspense fallback={null}>
                      <GroupWaiting group={item} />
                    </Suspense>
                  </GroupButton>
                }
                menu={(opened) => <NavMenu {...opened} group={item} path={path} />}
              />
            ) : (
              <NavLink key={item.href} href={item.href} aria-current={path === item.href ? 'page' : undefined}>
                {item.label}
              </NavLink>
            ),
          )}
        </Nav>
        <Right>
          <Shortcuts />
          <NoticesLink />
          <ThemeButton />
          {token ? (
            <MenuButton
              trigger={<UserButton name={user?.username ?? ''} title={user?.email} />}
              menu={(opened) => <UserMenu {...opened} />}
            />
          ) : (
            <ButtonLink tone="primary" href={paths.auth()} icon={<LogIn size={16} strokeWidth={1.75} />}>
              {verbs.signIn}
            </ButtonLink>
          )}
        </Right>
      </Inner>
      {drawerOpen && (
        <Opening onGiveUp={() => setDrawerOpen(false)}>
          <Drawer items={items} path={path} onClose={() => setDrawerOpen(false)} />
        </Opening>
      )}
    </Bar>
  )
}

function ThemeButton() {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        ref={button}
        label={labels.themeSettings}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Palette size={18} strokeWidth={1.75} />
      </IconButton>
      {open && (
        <Opening onGiveUp={() => setOpen(false)}>
          <ThemePopup anchor={button} onClose={() => setOpen(false)} />
        </Opening>
      )}
    </>
  )
}

const Bar = styled.header`
  position: sticky;
  z-index: 100;
  top: 0;
  background: ${color.page};
  border-bottom: 1px solid ${color.line};
`

const Inner = styled.div`
  display: flex;
  align-items: center;
  gap: 8px;
  max-width: calc(${size.console} + 48px);
  height: ${size.bar};
  margin: 0 auto;
  padding: 0 24px;

  ${media.phone} {
    height: ${size.barPhone};
    padding: 0 8px;
    gap: 0;
  }
`

const Burger = styled.div<{ $crowded: boolean }>`
  display: none;

  ${({ $crowded }) => ($crowded ? media.crowded : media.phone)} {
    display: block;
  }
`

const Logo = styled(Link)`
  display: inline-flex;
  align-items: center;
  gap: 10px;
  margin-right: 24px;
  color: ${color.text};
  ${font.md}
  ${font.strong}

  &:hover {
    text-decoration: none;
  }

  ${media.phone} {
    min-height: 44px;
    margin: 0 auto 0 4px;
  }
`

const Nav = styled.nav<{ $crowded: boolean }>`
  display: flex;
  gap: 4px;
  margin-right: auto;

  ${({ $crowded }) => ($crowded ? media.crowded : media.phone)} {
    display: none;
  }
`

const NavLink = styled(Link)`
  ${navLook}
`

const Right = styled.div`
  display: flex;
  align-items: center;
  gap: 8px;
  margin-left: auto;

  ${media.phone} {
    gap: 4px;
  }
`
