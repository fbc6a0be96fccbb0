import * as verbs from '@vps/shared/verbs'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { media } from '../theme/tokens'
import { checkboxLook } from './checkbox-look'
import type { Column } from './column'

export interface Choice<Row> {
  chosen: ReadonlySet<string>
  set: (chosen: ReadonlySet<string>) => void
  keyOf: (row: Row) => string
  /** For screen readers. */
  nameOf: (row: Row) => string
}

/** Boxes in the first column, and one in the head for all `shown`. */
export function withChoice<Row>(
  [first, ...others]: Column<Row>[],
  shown: readonly Row[],
  { chosen, set, keyOf, nameOf }: Choice<Row>,
): Column<Row>[] {
  if (!first) return []
  const keys = shown.map(keyOf)
  const all = keys.length > 0 && keys.every((key) => chosen.has(key))
  const head = (
    <Chosen
      label={verbs.chooseShown}
      disabled={keys.length === 0}
      checked={all}
      onChange={(on) => set(changed(chosen, keys, on))}
    >
      {first.head}
    </Chosen>
  )
  const cell = (row: Row) => (
    <Chosen
      label={`选择 ${nameOf(row)}`}
      checked={chosen.has(keyOf(row))}
      onChange={(on) => set(changed(chosen, [keyOf(row)], on))}
    >
      {first.cell(row)}
    </Chosen>
  )
  return [{ ...first, head, cell }, ...others]
}

/** The chosen keys with some more or less. */
export function changed(chosen: ReadonlySet<string>, keys: readonly string[], on: boolean): ReadonlySet<string> {
  const next = new Set(chosen)
  for (const key of keys)
    if (on) next.add(key)
    else next.delete(key)
  return next
}

interface ChosenProps {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
  children: ReactNode
}

function Chosen({ label, checked, disabled = false, onChange, children }: ChosenProps) {
  return (
    <Row>
      <label>
        <input
          type="checkbox"
          aria-label={label}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
      </label>
      {children}
    </Row>
  )
}

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: 10px;
  min-width: 0;

  > label {
    flex: none;
    display: grid;
    place-items: center;
    width: 24px;
    height: 24px;
    margin-left: -4px;
    cursor: pointer;
  }

  ${checkboxLook}

  ${media.narrow} {
    gap: 4px;

    > label {
      width: 44px;
      height: 44px;
      margin: -10px 0 -10px -14px;
    }

    input {
      width: 20px;
      height: 20px;
    }
  }
`
