import * as verbs from '@vps/shared/verbs'
import { X } from 'lucide-react'
import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styled, { keyframes } from 'styled-components'
import { backdropClass, color, font, headTop, media, motion, radius, shadow } from '../theme/tokens'
import { useAskedWords } from './asked-words'
import { BeingChecked } from './BeingChecked'
import { IconButton } from './Button'
import './composed-keys'
import './escape-of-a-list'
import { useFirstField } from './first-field'
import { useFocusBeside } from './focus-beside'
import { requiredMark } from './required-mark'

export interface DialogProps {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** The confirming button last. */
  footer?: ReactNode
  width?: number
  /** Closes by its own buttons only. */
  persistent?: boolean
  /** A click beside it does not close: what was filled in stays. */
  sticky?: boolean
  alert?: boolean
}

/** Of a dialog that is open. */
export function DialogFrame({ title, onClose, children, footer, width = 440, persistent, sticky, alert }: DialogProps) {
  const body = useRef<HTMLDivElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  useAskedWords(body)
  useFocusBeside()
  useFirstField(body)
  return (
    <Backdrop
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isDismissable={!persistent && !sticky && !alert}
      isKeyboardDismissDisabled={Boolean(persistent)}
    >
      <Card $width={width}>
        {/* A question is said as it opens, not its buttons alone. */}
        <Inner role={alert ? 'alertdialog' : 'dialog'}>
          <Head>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!persistent && (
              <IconButton label={verbs.close} onClick={onClose}>
                <X size={18} strokeWidth={1.75} />
              </IconButton>
            )}
          </Head>
          <Body ref={body} tabIndex={-1} onKeyDown={alert ? (event) => pressConfirm(event, foot.current) : undefined}>
            {children}
            <Checks>
              <BeingChecked />
            </Checks>
          </Body>
          {footer && <Foot ref={foot}>{footer}</Foot>}
        </Inner>
      </Card>
    </Backdrop>
  )
}

/** By Enter in what was typed: a question is no form. Not by one that is held since it opened this, nor a switch's. */
function pressConfirm({ key, repeat, target }: KeyboardEvent, foot: HTMLElement | null): void {
  if (key !== 'Enter' || repeat || !(target instanceof HTMLInputElement) || target.type !== 'text') return
  const confirm = foot?.lastElementChild
  if (confirm instanceof HTMLElement) confirm.click()
}

const fade = keyframes`
  from { opacity: 0; }
`

const rise = keyframes`
  from { opacity: 0; transform: translateY(8px); }
`

/** An iPhone tells of its keyboard only here: the window stays as it is under it. */
const seen = 'var(--visual-viewport-height)'

const Backdrop = styled(ModalOverlay).attrs({ className: backdropClass })`
  position: fixed;
  inset: 0;
  z-index: 900;
  display: grid;
  /* Else a long word widens it. */
  grid-template-columns: minmax(0, 1fr);
  place-items: center;
  padding: 16px max(16px, env(safe-area-inset-right)) calc(16px + 100dvh - ${seen}) max(16px, env(safe-area-inset-left));
  container-type: size;
  background: ${shadow.backdrop};
  animation: ${fade} ${motion.layer};

  ${media.phone} {
    place-items: end stretch;
    padding: 0 0 calc(100dvh - ${seen});
  }
`

const Card = styled(Modal)<{ $width: number }>`
  width: min(${({ $width }) => $width}px, 100%);
  max-height: calc(${seen} - 32px);
  display: flex;
  border-radius: ${radius.dialog};
  background: ${color.raised};
  box-shadow: ${shadow.dialog};
  animation: ${rise} ${motion.layer};

  ${media.phone} {
    width: 100%;
    max-height: calc(${seen} - 60px);
    border-radius: 16px 16px 0 0;
  }
`

const Inner = styled(AriaDialog)`
  flex: 1;
  min-width: 0;
  display: flex;
  flex-direction: column;
  overflow-wrap: break-word;
  outline: none;

  p {
    overflow-wrap: anywhere;
  }

  /* Between head and foot nothing would be left for what is typed. */
  @container (max-height: 320px) {
    overflow: auto;
  }
`

const Head = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;
  padding: 16px 16px 8px 24px;

  h2 {
    flex: 1;
    min-width: 0;
    ${font.md}

    /* Over a phone's keyboard a name of many lines leaves room for what is typed. */
    @container (max-height: 520px) {
      max-height: 2lh;
      overflow: auto;
    }
  }

  ${media.phone} {
    padding: 12px 8px 4px 16px;
  }
`

const Body = styled.div`
  ${headTop}: 0;
  flex: 1;
  overflow: auto;
  padding: 8px 24px 20px;
  outline: none;

  label:has(+ :required) {
    ${requiredMark}
  }

  @container (max-height: 320px) {
    flex: none;
    overflow: visible;
  }

  ${media.phone} {
    padding: 4px 16px 20px;
  }
`

const Checks = styled.div`
  &:not(:empty) {
    margin-top: 12px;
  }
`

const Foot = styled.div`
  display: flex;
  justify-content: flex-end;
  gap: 12px;
  padding: 12px 24px 20px;

  ${media.phone} {
    flex-direction: column-reverse;
    padding: 12px 16px max(16px, env(safe-area-inset-bottom));

    > * {
      width: 100%;
    }
  }
`
