import { useEffect, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Menu as AriaMenu, MenuItem, Popover } from 'react-aria-components'
import styled, { keyframes } from 'styled-components'
import { color, font, media, motion, radius, shadow } from '../theme/tokens'
import { useOpener } from './focus-beside'
import { leadTo } from './lead-to'
import type { OpenedMenu } from './MenuButton'
import { Waiting } from './Waiting'

export interface MenuEntry {
  id: string
  label: string
  /** What typing finds, if not the label. */
  textValue?: string
  icon?: ReactNode
  href?: string
  onAction?: () => void
  reason?: string | null | undefined
  danger?: boolean
  current?: boolean
  count?: number
}

/** Arrows, Home, End, typing; focus returns to the button. */
export function MenuLayer({
  anchor,
  id,
  label,
  entries,
  open,
  focus,
  stage,
  onClose,
}: OpenedMenu & {
  label: string
  entries: MenuEntry[]
  /** Where it is rehearsed: the page beside it stays as it is. */
  stage?: HTMLElement
}) {
  // What an entry opens has no other.
  useOpener()
  useBeside(anchor, open)
  // Where the focus goes on opening (WAI-ARIA APG, Menu Button).
  const opening = { autoFocus: focus }
  return (
    <Layer
      triggerRef={anchor}
      isOpen={open}
      onOpenChange={(next) => !next && onClose()}
      placement="bottom end"
      offset={6}
      aria-label={label}
      {...(stage && { isNonModal: true, UNSTABLE_portalContainer: stage })}
    >
      <List
        id={id}
        aria-label={label}
        {...opening}
        onClose={onClose}
        disabledKeys={entries.filter((entry) => entry.reason).map((entry) => entry.id)}
      >
        {entries.map((entry) => (
          <Item
            key={entry.id}
            id={entry.id}
            textValue={entry.textValue ?? entry.label}
            $danger={entry.danger ?? false}
            $current={entry.current ?? false}
            // Its library passes on no aria-current.
            ref={(item: HTMLDivElement | null) => {
              if (entry.current) item?.setAttribute('aria-current', 'page')
              else item?.removeAttribute('aria-current')
            }}
            onAction={() => {
              entry.onAction?.()
              if (entry.href) leadTo(entry.href)
            }}
          >
            {entry.icon}
            <Words>
              {entry.label}
              {entry.reason && <Reason>{entry.reason}</Reason>}
            </Words>
            {entry.count ? <Waiting count={entry.count} /> : null}
          </Item>
        ))}
      </List>
    </Layer>
  )
}

/**
 * A menu where nobody is: what the first one makes for all (classes, compiled code) is there before it. Drawn and taken
 * away in one task, so that no press, no focus and no reader meets it.
 */
export function rehearseMenu(): void {
  const stage = document.createElement('div')
  stage.inert = true
  stage.style.cssText = 'position: fixed; contain: strict; visibility: hidden'
  document.body.append(stage)
  const root = createRoot(stage)
  const menu = { id: 'rehearsed', label: 'menu', entries: [{ id: 'entry', label: 'entry' }], onClose: () => {} }
  flushSync(() => root.render(<MenuLayer {...menu} anchor={{ current: stage }} open focus stage={stage} />))
  root.unmount()
  stage.remove()
}
// With its file, which comes before a press; a page that changes nothing tells of no rest by itself. Not in Safari.
if ('requestIdleCallback' in globalThis) requestIdleCallback(rehearseMenu, { timeout: 150 })

/** A row's button moves where rows come and go: left where it was, its menu would stand beside another row. */
function useBeside(anchor: RefObject<HTMLElement | null>, open: boolean): void {
  useEffect(() => {
    if (!open) return
    const place = () => JSON.stringify(anchor.current?.getBoundingClientRect())
    let was = place()
    let frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)

    function look() {
      const now = place()
      // All that has the library look again.
      if (now !== was) visualViewport?.dispatchEvent(new Event('resize'))
      was = now
      frame = requestAnimationFrame(look)
    }
  }, [anchor, open])
}

const appear = keyframes`
  from { opacity: 0; transform: translateY(-4px); }
`

const Layer = styled(Popover)`
  min-width: max(168px, var(--trigger-width));
  max-width: min(320px, 100vw - 24px);
  overflow: auto;
  border-radius: ${radius.card};
  background: ${color.raised};
  box-shadow: ${shadow.menu};
  animation: ${appear} ${motion.layer};
  ${font.sm}
`

const List = styled(AriaMenu)`
  padding: 4px;
  outline: none;
`

const Item = styled(MenuItem)<{ $danger: boolean; $current: boolean }>`
  display: flex;
  align-items: center;
  gap: 10px;
  min-height: 36px;
  padding: 6px 12px;
  border-radius: ${radius.control};
  color: ${({ $danger, $current }) => ($danger ? color.error.text : $current ? color.primary.text : color.text)};
  cursor: pointer;
  outline: none;

  &[aria-current] {
    ${font.strong}
  }

  &[data-focused] {
    background: ${color.primary.tint};
  }

  &[data-focus-visible] {
    outline: 2px solid ${color.focus};
    outline-offset: -2px;
  }

  &[data-disabled] {
    color: ${color.disabled};
    cursor: not-allowed;
  }

  ${media.phone} {
    min-height: 44px;
  }
`

const Words = styled.span`
  flex: 1;
`

const Reason = styled.small`
  display: block;
  ${font.xs}
  color: ${color.text3};
`
