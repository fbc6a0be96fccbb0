import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import styled, { keyframes } from 'styled-components'
import { backdropClass, color, font, media, motion, radius, shadow } from '../theme/tokens'
import { currentToasts, dismissToast, subscribeToToasts, type Toast, type ToastTone } from '../ui/toast'

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleAlert }

/** Hovering or focusing one holds it. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts)
  const from = useRef<Element | null>(null)

  function close(id: number) {
    dismissToast(id)
    // The button that had the focus is gone.
    if (from.current instanceof HTMLElement) from.current.focus()
  }

  return (
    // In the top layer: an open dialog silences and holds off whatever is not.
    <Region
      role="region"
      aria-label="通知"
      data-react-aria-top-layer
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) from.current = relatedTarget
      }}
    >
      {/* Of itself a status is heard, politely, as a whole with each that comes. */}
      <div role="status" aria-atomic={false}>
        {toasts.map((toast) => (
          <Note key={toast.id} toast={toast} onClose={() => close(toast.id)} />
        ))}
      </div>
    </Region>
  )
}

function Note({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const [held, setHeld] = useState(false)
  const Icon = icons[toast.type]

  // Stops while the note is held.
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.timeoutMs)
    return () => clearTimeout(timer)
  }, [held, toast.id, toast.timeoutMs])

  return (
    <Slip
      $tone={toast.type}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden />
      <span>{toast.message}</span>
      {toast.action && (
        <Act
          type="button"
          onClick={() => {
            toast.action?.run()
            onClose()
          }}
        >
          {toast.action.label}
        </Act>
      )}
      <Close type="button" aria-label="关闭通知" onClick={onClose}>
        <X size={16} strokeWidth={1.75} />
      </Close>
    </Slip>
  )
}

const enter = keyframes`
  from { opacity: 0; transform: translateY(8px); }
`

/** Where the acts of no page and no dialog stand, above whatever bar lies there: all else can be moved from below it. */
const Region = styled.div`
  position: fixed;
  z-index: 1000;
  bottom: calc(var(--bottom-bar, 0px) + 16px + env(safe-area-inset-bottom));
  left: 24px;
  width: 360px;

  > div {
    display: grid;
    gap: 8px;
  }

  ${media.phone} {
    right: 16px;
    left: 16px;
    width: auto;

    /* A keyboard lies over the lower half. */
    :root:has(:is(input, textarea):focus) & {
      top: 60px;
      bottom: auto;
    }

    /* Over a sheet, which leaves room for one line: what it says may be an amount that is being paid. Beside what closes it; the newest alone. */
    :root:has(.${backdropClass}) & {
      top: 8px;
      right: 72px;
      bottom: auto;

      > div > :not(:last-child) {
        display: none;
      }
    }
  }
`

const Slip = styled.div<{ $tone: ToastTone }>`
  display: flex;
  align-items: center;
  gap: 10px;
  padding: 12px;
  border-radius: ${radius.card};
  background: ${color.raised};
  background-image: linear-gradient(${({ $tone }) => color[$tone].tint}, ${({ $tone }) => color[$tone].tint});
  box-shadow: ${shadow.menu};
  ${font.sm}
  animation: ${enter} ${motion.layer};

  > svg {
    color: ${({ $tone }) => color[$tone].text};
  }

  > span {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
`

const Act = styled.button`
  padding: 4px 8px;
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: ${color.primary.text};
  ${font.strong}
  cursor: pointer;
`

const Close = styled.button`
  display: inline-grid;
  place-items: center;
  width: 24px;
  height: 24px;
  padding: 0;
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: ${color.text2};
  cursor: pointer;

  ${media.phone} {
    width: 44px;
    height: 44px;
    margin: -12px -8px -12px 0;
  }
`
