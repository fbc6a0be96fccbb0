import * as labels from '@vps/shared/labels'
import { X } from 'lucide-react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styled, { keyframes } from 'styled-components'
import { Link } from 'wouter'
import { productShort } from '@vps/shared/brand'
import { backdropClass, color, font, motion, radius, shadow } from '../theme/tokens'
import { IconButton } from '../ui/Button'
import { Waiting } from '../ui/Waiting'
import { isGroup, isWithin, type NavEntry, type NavGroup } from './navigation'
import { navigationIcons } from './navigation-icons'
import { useWaiting } from './waiting'

/** The bar's entries on a phone. */
export default function Drawer({
  items,
  path,
  onClose,
}: {
  items: (NavEntry | NavGroup)[]
  path: string
  onClose: () => void
}) {
  const waitingIn = useWaiting()
  const entry = (one: NavEntry) => {
    const Icon = navigationIcons[one.icon]
    return (
      <li key={one.href}>
        <Entry href={one.href} onClick={onClose} aria-current={isWithin(path, one.href) ? 'page' : undefined}>
          <Icon size={18} strokeWidth={1.75} aria-hidden />
          {one.label}
          {waitingIn(one) > 0 && <Waiting count={waitingIn(one)} />}
        </Entry>
      </li>
    )
  }
  return (
    <Backdrop isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Side>
        <Inner>
          <Head>
            <Heading slot="title" level={2}>
              {productShort}
            </Heading>
            <IconButton label="关闭菜单" onClick={onClose}>
              <X size={20} strokeWidth={1.75} />
            </IconButton>
          </Head>
          <nav aria-label={labels.mainNavigation}>
            <ul>
              {items.map((item) =>
                isGroup(item) ? (
                  <li key={item.label}>
                    <Group>{item.label}</Group>
                    <ul>{item.entries.map(entry)}</ul>
                  </li>
                ) : (
                  entry(item)
                ),
              )}
            </ul>
          </nav>
        </Inner>
      </Side>
    </Backdrop>
  )
}

const slide = keyframes`
  from { transform: translateX(-100%); }
`

const Backdrop = styled(ModalOverlay).attrs({ className: backdropClass })`
  position: fixed;
  inset: 0;
  z-index: 900;
  background: ${shadow.backdrop};
`

const Side = styled(Modal)`
  position: absolute;
  inset: 0 auto 0 0;
  width: calc(min(288px, 84vw) + env(safe-area-inset-left));
  padding-left: env(safe-area-inset-left);
  background: ${color.raised};
  box-shadow: ${shadow.dialog};
  animation: ${slide} ${motion.layer};
`

const Inner = styled(Dialog)`
  height: 100%;
  overflow: auto;
  padding: 4px 12px 24px;
  outline: none;
`

const Head = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding-left: 12px;
  margin-bottom: 4px;

  h2 {
    ${font.md}
  }
`

const Entry = styled(Link)`
  display: flex;
  align-items: center;
  gap: 12px;
  min-height: 44px;
  padding: 0 12px;
  border-radius: ${radius.control};
  color: ${color.text};

  &:hover {
    background: ${color.primary.tint};
    text-decoration: none;
  }

  &[aria-current='page'] {
    background: ${color.primary.tint};
    color: ${color.primary.text};
  }
`

const Group = styled.p`
  padding: 16px 12px 4px;
  ${font.xs}
  color: ${color.text3};
`
