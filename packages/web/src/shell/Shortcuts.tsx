import { Search } from 'lucide-react'
import { lazy, useEffect, useState } from 'react'
import styled from 'styled-components'
import { useSession } from '../api/session'
import { media } from '../theme/tokens'
import { IconButton } from '../ui/Button'
import { Opening } from '../ui/Opening'

const Palette = lazy(() => import('./Palette'))
const KeysDialog = lazy(() => import('./KeysDialog'))

type Layer = 'palette' | 'keys' | null

/** The keys that work everywhere. */
export function Shortcuts() {
  const [open, setOpen] = useState<Layer>(null)
  const { token } = useSession()

  // Only keys that nobody is typing with.
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return setOpen((shown) => (shown === 'palette' ? null : 'palette'))
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isBehindDialog()) return
      if (event.key === '?') setOpen('keys')
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
        if (!search) return
        event.preventDefault()
        search.focus()
        search.select()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  const close = () => setOpen(null)
  return (
    <>
      <Place $visitor={token === null}>
        <IconButton label="快速跳转 (Ctrl K)" aria-haspopup="dialog" onClick={() => setOpen('palette')}>
          <Search size={18} strokeWidth={1.75} />
        </IconButton>
      </Place>
      <Opening onGiveUp={close}>
        {open === 'palette' && <Palette onClose={close} onShowKeys={() => setOpen('keys')} />}
        {open === 'keys' && <KeysDialog onClose={close} />}
      </Opening>
    </>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}

const isBehindDialog = () => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

/** On a phone a visitor has the way in instead. */
const Place = styled.span<{ $visitor: boolean }>`
  ${media.phone} {
    display: ${({ $visitor }) => ($visitor ? 'none' : 'contents')};
  }
`
