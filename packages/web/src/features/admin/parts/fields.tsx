import { useState, type ReactNode } from 'react'
import { useController, type Control, type FieldValues, type Path } from 'react-hook-form'
import styled from 'styled-components'
import { color, font, media } from '../../../theme/tokens'
import { DateField } from '../../../ui/DateField'
import { Help, PasswordField, Stack, TextArea, TextField } from '../../../ui/Field'
import { Select, type Option } from '../../../ui/Select'
import { Switch } from '../../../ui/Switch'
import type { DateGrain } from '../../../ui/typed-date'
import { Named } from './Named'
import { numberOf, numberText } from './typed-number'

interface Tied<V extends FieldValues> {
  control: Control<V>
  name: Path<V>
  label: string
  required?: boolean
}

type Texts = { help?: ReactNode; placeholder?: string; maxLength?: number; autoComplete?: string; error?: string }
type Exact = { exact?: boolean }

/** For what counts letter by letter: a phone neither makes a capital of the first nor corrects the rest. */
const byLetter = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

export function FormText<V extends FieldValues>({
  control,
  name,
  label,
  required,
  error,
  password,
  exact,
  ...rest
}: Tied<V> & Texts & Exact & { password?: boolean; type?: string; end?: ReactNode }) {
  const { field, fieldState } = useController({ control, name })
  const Field = password ? PasswordField : TextField
  return (
    <Field
      {...rest}
      {...(exact && byLetter)}
      {...field}
      value={field.value ?? ''}
      label={<Named required={required}>{label}</Named>}
      aria-required={required}
      error={fieldState.error?.message ?? error}
    />
  )
}

/** By the shop's clock; what is no date goes on as typed, which every contract refuses. */
export function FormDate<V extends FieldValues>({
  control,
  name,
  label,
  ...rest
}: Tied<V> & { help?: ReactNode; grain?: DateGrain; min?: string }) {
  const { field, fieldState } = useController({ control, name })
  return (
    <DateField
      {...rest}
      {...field}
      value={field.value ?? ''}
      label={label}
      what={label}
      error={fieldState.error?.message}
    />
  )
}

/** Empty is NaN, which every contract refuses, or null where allowed; what is no number goes on as typed. */
export function FormNumber<V extends FieldValues>({
  control,
  name,
  label,
  unit,
  optional = false,
  required = !optional,
  whole,
  signed,
  help,
}: Tied<V> & { help?: ReactNode; unit?: string; optional?: boolean; whole?: boolean; signed?: boolean }) {
  const { field, fieldState } = useController({ control, name })
  const { ref, onBlur } = field
  const [typed, setTyped] = useState(() => numberText(field.value))
  // Set from elsewhere: a reset, or another operator's figure.
  if (!Object.is(numberOf(typed, optional), field.value)) setTyped(numberText(field.value))
  return (
    <TextField
      // An iPhone's keys for numbers have no minus.
      inputMode={signed ? 'text' : whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      name={field.name}
      ref={ref}
      onBlur={onBlur}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        field.onChange(numberOf(target.value, optional))
      }}
      label={<Named required={required}>{label}</Named>}
      aria-required={required}
      help={help}
      error={fieldState.error?.message}
      unit={unit}
    />
  )
}

export function FormArea<V extends FieldValues>({
  control,
  name,
  exact,
  label,
  required,
  ...rest
}: Tied<V> & Exact & { help?: ReactNode; rows?: number; className?: string }) {
  const { field, fieldState } = useController({ control, name })
  return (
    <TextArea
      {...(exact && byLetter)}
      {...rest}
      {...field}
      value={field.value ?? ''}
      label={<Named required={required}>{label}</Named>}
      aria-required={required}
      error={fieldState.error?.message}
    />
  )
}

/** `empty` is said where, once read, there is nothing to choose. */
export function FormSelect<V extends FieldValues>({
  control,
  name,
  label,
  required,
  options,
  disabled,
  empty,
}: Tied<V> & { options: Option[] | undefined; disabled?: boolean; empty?: ReactNode }) {
  const { field, fieldState } = useController({ control, name })
  const { ref } = field
  return (
    <Stack>
      <Select
        label={<Named required={required}>{label}</Named>}
        options={options ?? []}
        ref={ref}
        value={field.value || null}
        onChange={field.onChange}
        disabled={disabled ?? false}
        error={fieldState.error?.message}
      />
      {empty && options?.length === 0 && <Help>{empty}</Help>}
    </Stack>
  )
}

export function FormSwitch<V extends FieldValues>({ control, name, label }: Tied<V>) {
  const { field } = useController({ control, name })
  return (
    <Switch
      label={label}
      name={field.name}
      checked={field.value === true}
      onBlur={field.onBlur}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  )
}

export const Fields = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
`

export const Row = styled.div<{ $columns?: number }>`
  display: grid;
  grid-template-columns: repeat(${({ $columns = 2 }) => $columns}, minmax(0, 1fr));
  gap: 16px;

  ${media.phone} {
    grid-template-columns: repeat(${({ $columns = 2 }) => ($columns > 2 ? 2 : 1)}, minmax(0, 1fr));
  }
`

/** Level with a field under its label. */
export const Bottom = styled.div`
  display: flex;
  align-items: center;
  height: 36px;
  margin-top: 28px;
`

/** A titled part of a form. */
export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <Part>
      <legend>{title}</legend>
      {note && <p>{note}</p>}
      <Fields>{children}</Fields>
    </Part>
  )
}

const Part = styled.fieldset`
  min-width: 0;
  padding-top: 16px;
  border-top: 1px solid ${color.line};

  legend {
    float: left;
    width: 100%;
    padding: 0;
    margin-bottom: 12px;
    ${font.sm}
    ${font.strong}
  }

  legend + * {
    clear: both;
  }

  > p {
    margin: -8px 0 12px;
    ${font.xs}
    color: ${color.text3};
  }
`
