import * as verbs from '@vps/shared/verbs'
import { Eye, EyeOff } from 'lucide-react'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media, motion, radius } from '../theme/tokens'
import { heardOnly } from './heard-only'
import { unzoomed } from './unzoomed'

interface FieldTexts {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
  end?: ReactNode
  /** Stands after what is typed, and is said with the name. */
  unit?: string | undefined
  start?: ReactNode
  /** The label is for screen readers only. */
  bare?: boolean
}

type InputProps = Omit<ComponentProps<'input'>, 'size'>

/** Help and error are tied to the field. */
export function TextField({
  label,
  help,
  error,
  end,
  unit,
  start,
  bare,
  className,
  ...input
}: FieldTexts & InputProps) {
  const id = useId()
  const described = [unit && `${id}-unit`, error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <Stack className={className}>
      <Label htmlFor={id} $bare={bare ?? false}>
        {label}
      </Label>
      <Box $bad={Boolean(error)}>
        {start && <Affix>{start}</Affix>}
        <input id={id} {...input} aria-invalid={error ? true : undefined} aria-describedby={described || undefined} />
        {unit && <Unit id={`${id}-unit`}>{unit}</Unit>}
        {end}
      </Box>
      {error && <Fault of={id}>{error}</Fault>}
      {help && <Help id={`${id}-help`}>{help}</Help>}
    </Stack>
  )
}

/** A password that can be shown. */
export function PasswordField({ end, ...props }: FieldTexts & InputProps) {
  const [shown, setShown] = useState(false)
  const toggle = (
    <Inside type="button" aria-label={shown ? verbs.hidePassword : verbs.showPassword} onClick={() => setShown(!shown)}>
      {shown ? <EyeOff size={16} strokeWidth={1.75} /> : <Eye size={16} strokeWidth={1.75} />}
    </Inside>
  )
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      end={
        <>
          {end}
          {toggle}
        </>
      }
    />
  )
}

/** Several lines of text. */
export function TextArea({
  label,
  help,
  error,
  ...area
}: Pick<FieldTexts, 'label' | 'help' | 'error'> & ComponentProps<'textarea'>) {
  const id = useId()
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <Stack>
      <Label htmlFor={id}>{label}</Label>
      <Lines
        id={id}
        rows={4}
        {...area}
        $bad={Boolean(error)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {error && <Fault of={id}>{error}</Fault>}
      {help && <Help id={`${id}-help`}>{help}</Help>}
    </Stack>
  )
}

/** Where the focus was when something was pressed, unless it moved since. */
let still: Element | null = null
if (typeof document === 'object') {
  for (const press of ['keydown', 'pointerdown']) addEventListener(press, () => (still = document.activeElement), true)
  addEventListener('focusin', () => (still = null))
}

/** Spoken where the focus stays: whoever is led to a field hears it with its name. */
export function Fault({ of, children }: { of: string; children: string }) {
  const [stays] = useState(() => still?.id === of)
  return (
    <Problem id={`${of}-error`} role={stays ? 'alert' : undefined}>
      {children}
    </Problem>
  )
}

export const Stack = styled.div`
  display: flex;
  flex-direction: column;
  gap: 6px;
  min-width: 0;
`

export const Label = styled.label<{ $bare?: boolean }>`
  ${font.sm}
  color: ${color.text2};
  ${({ $bare }) => $bare && heardOnly}
`

export const Box = styled.div<{ $bad?: boolean }>`
  display: flex;
  align-items: center;
  height: 36px;
  border: 1px solid ${({ $bad }) => ($bad ? color.error.text : color.fieldLine)};
  border-radius: ${radius.control};
  background: ${color.page};
  overflow: clip;
  transition: border-color ${motion.state};

  &:hover {
    border-color: ${({ $bad }) => ($bad ? color.error.text : color.primary.text)};
  }

  &:focus-within {
    outline: 2px solid ${color.focus};
    outline-offset: 1px;
  }

  input {
    flex: 1;
    min-width: 0;
    height: 100%;
    padding: 0 12px;
    border: 0;
    outline: none;
    background: transparent;
    ${unzoomed}

    &:disabled,
    &:read-only {
      color: ${color.text2};
    }
  }

  ${media.phone} {
    height: 44px;
  }
`

const Lines = styled.textarea<{ $bad: boolean }>`
  padding: 7px 12px;
  border: 1px solid ${({ $bad }) => ($bad ? color.error.text : color.fieldLine)};
  border-radius: ${radius.control};
  background: ${color.page};
  resize: vertical;

  &:focus-visible {
    outline-offset: 1px;
  }

  ${unzoomed}
`

const Affix = styled.span`
  display: inline-flex;
  padding-left: 12px;
  color: ${color.text3};

  & + input {
    padding-left: 8px;
  }
`

const Unit = styled.span`
  padding-right: 12px;
  ${font.xs}
  color: ${color.text3};
  white-space: nowrap;
`

export const Inside = styled.button`
  display: inline-grid;
  place-items: center;
  min-width: 34px;
  height: 100%;
  padding: 0 8px;
  border: 0;
  background: transparent;
  color: ${color.text2};
  cursor: pointer;

  &:hover {
    color: ${color.primary.text};
  }

  &:focus-visible {
    outline-offset: -3px;
  }

  ${media.phone} {
    min-width: 44px;
  }
`

export const Problem = styled.p`
  ${font.xs}
  color: ${color.error.text};
`

export const Help = styled.p`
  ${font.xs}
  color: ${color.text3};
`
