import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Keyboard } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import styled, { createGlobalStyle } from 'styled-components'
import { color, font, radius } from '../../theme/tokens'
import type { KeyName } from './keys'
import type { Held, RemoteInput } from './remote-input'
import { typedDifference } from './typed-difference'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const
const held = [
  ['control', 'Ctrl'],
  ['alt', 'Alt'],
] as const
const single: readonly (readonly [KeyName, string, ReactNode])[] = [
  ['escape', 'Esc', 'Esc'],
  ['tab', 'Tab', 'Tab'],
  ['left', '左', <ArrowLeft key="icon" {...icon} />],
  ['up', '上', <ArrowUp key="icon" {...icon} />],
  ['down', '下', <ArrowDown key="icon" {...icon} />],
  ['right', '右', <ArrowRight key="icon" {...icon} />],
]

/** Gives a phone's keyboard something to delete: it tells no key, only its text. */
const filler = '_'.repeat(64)

const atEnd = (field: HTMLTextAreaElement) => field.setSelectionRange(field.value.length, field.value.length)

/** A phone's keyboard and the keys it lacks. Ctrl and Alt hold for the next key. */
export function PhoneKeys({ input }: { input: RemoteInput }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const written = useRef(filler)
  const [holding, setHolding] = useState<readonly Held[]>([])
  const toggle = (name: Held) =>
    setHolding((names) => (names.includes(name) ? names.filter((one) => one !== name) : [...names, name]))

  // A machine reads a word key by key: what comes meanwhile, as a blank after a word put right, waits for it.
  const sent = useRef(Promise.resolve())
  const inTurn = (send: () => Promise<void>) => {
    // What one could not send keeps no later one.
    sent.current = sent.current.then(send).catch(() => undefined)
  }

  function press(name: KeyName) {
    inTurn(async () => input.press([...holding, name]))
    setHolding([])
  }

  function type(removed: number, added: string) {
    inTurn(async () => {
      for (let n = 0; n < removed; n += 1) input.press(['backspace'])
      await input.type(added, { held: holding })
    })
    setHolding([])
  }

  return (
    <Row role="toolbar" aria-label="按键">
      <KeepAbove />
      <Key type="button" aria-label="手机键盘" onClick={() => field.current?.focus()}>
        <Keyboard {...icon} />
      </Key>
      {held.map(([name, label]) => (
        <Key key={name} type="button" aria-pressed={holding.includes(name)} onClick={() => toggle(name)}>
          {label}
        </Key>
      ))}
      {single.map(([name, label, content]) => (
        <Key key={name} type="button" aria-label={label} onClick={() => press(name)}>
          {content}
        </Key>
      ))}
      <Hidden
        ref={field}
        aria-label="手机键盘的输入"
        autoCapitalize="off"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        tabIndex={-1}
        defaultValue={filler}
        onFocus={({ currentTarget }) => atEnd(currentTarget)}
        onInput={({ currentTarget }) => {
          const { removed, added } = typedDifference(written.current, currentTarget.value)
          type(removed, added)
          if (currentTarget.value.length < filler.length / 2) {
            currentTarget.value = filler
            atEnd(currentTarget)
          }
          written.current = currentTarget.value
        }}
      />
    </Row>
  )
}

/** Notifications lie above it. */
const KeepAbove = createGlobalStyle`
  html {
    --bottom-bar: 56px;
  }
`

const Row = styled.div`
  display: flex;
  gap: 4px;
  padding: 6px 8px max(6px, env(safe-area-inset-bottom));
  overflow-x: auto;
  scrollbar-width: none;
  background: ${color.raised};
  border-top: 1px solid ${color.line};
`

const Key = styled.button`
  flex: 1 0 44px;
  display: grid;
  place-items: center;
  height: 44px;
  padding: 0 6px;
  border: 1px solid ${color.line};
  border-radius: ${radius.control};
  background: ${color.page};
  color: ${color.text};
  ${font.xs}
  /* The keyboard stays where it is open. */
  touch-action: manipulation;

  &[aria-pressed='true'] {
    background: ${color.primary.fill};
    color: ${color.primary.onFill};
  }
`

/** Has the focus while the phone's keyboard is open. */
const Hidden = styled.textarea`
  position: fixed;
  bottom: 0;
  left: 0;
  width: 1px;
  height: 1px;
  padding: 0;
  border: 0;
  opacity: 0;
  resize: none;
  font-size: 16px;
`
