import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { Search } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useController, type Control, type FieldValues, type Path } from 'react-hook-form'
import styled from 'styled-components'
import { color, font, media, radius } from '../../../theme/tokens'
import { Help, Problem, TextField } from '../../../ui/Field'
import type { Option } from '../../../ui/Select'
import { Named } from './Named'

/** More than these are found by a search, and begin with those that were chosen. */
const seenAtOnce = 12

/** Checkboxes tied to a form's list of values. */
export function FormChecks<V extends FieldValues>({
  control,
  name,
  legend,
  required,
  read: { data: options, isError },
  empty,
}: {
  control: Control<V>
  name: Path<V>
  legend: string
  required?: boolean
  read: { data: Option[] | undefined; isError: boolean }
  empty: ReactNode
}) {
  const id = useId()
  const { field, fieldState } = useController({ control, name })
  const { ref } = field
  const chosen = field.value as string[]
  const [first] = useState(chosen)
  const [sought, setSought] = useState('')
  // One that another operator has removed meanwhile is refused when saved: it can be taken away.
  const gone = chosen.filter((one) => options?.some(({ value }) => value === one) === false)
  const all = options && [...options, ...gone.map((value) => ({ value, text: '该项已被删除' }))]
  const many = all !== undefined && all.length > seenAtOnce
  const shown = many ? found(all, first, sought) : all
  return (
    <fieldset aria-describedby={fieldState.error ? id : undefined}>
      <Legend>
        <Named required={required}>{legend}</Named>
      </Legend>
      {many && (
        <Sought
          ref={ref}
          label={`搜索${legend}`}
          bare
          type="search"
          placeholder={verbs.search}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
          // Its Enter is not the form's.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          start={<Search size={16} strokeWidth={1.75} aria-hidden />}
        />
      )}
      {!shown ? (
        <Help>{isError ? text.loadFailed : '…'}</Help>
      ) : shown.length === 0 ? (
        <Help>{many ? '没有匹配的选项' : empty}</Help>
      ) : (
        <Grid>
          {shown.map(({ value, text }, index) => (
            <label key={value}>
              <input
                ref={!many && index === 0 ? ref : undefined}
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ target }) =>
                  field.onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
                }
              />
              {text}
            </label>
          ))}
        </Grid>
      )}
      {fieldState.error && <Problem id={id}>{fieldState.error.message}</Problem>}
    </fieldset>
  )
}

function found(all: Option[], first: string[], sought: string): Option[] {
  const typed = sought.trim().toLowerCase()
  const isFirst = ({ value }: Option) => Number(first.includes(value))
  return all.filter(({ text }) => text.toLowerCase().includes(typed)).toSorted((a, b) => isFirst(b) - isFirst(a))
}

const Sought = styled(TextField)`
  margin-bottom: 8px;
`

const Legend = styled.legend`
  padding: 0;
  margin-bottom: 6px;
  ${font.sm}
  color: ${color.text2};
`

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 4px 16px;
  max-height: 176px;
  overflow: auto;
  padding: 8px 12px;
  border: 1px solid ${color.fieldLine};
  border-radius: ${radius.control};
  overflow-wrap: anywhere;

  label {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 28px;
    cursor: pointer;
  }

  input {
    flex: none;
    width: 16px;
    height: 16px;
    accent-color: ${color.primary.fill};
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);

    label {
      min-height: 44px;
    }

    input {
      width: 20px;
      height: 20px;
    }
  }
`
