import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media } from '../theme/tokens'
import { Dim } from './Time'

export type Fact = [label: string, value: ReactNode, kind?: 'mono' | undefined]

/** A fact that only some records have. */
export const factIf = (there: unknown, ...fact: Fact): Fact[] => (there ? [fact] : [])

/** Labels with their values. */
export function Facts({ facts, columns = 1 }: { facts: Fact[]; columns?: 1 | 2 }) {
  return (
    <List $columns={columns}>
      {facts.map(([label, value, kind]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-kind={kind}>{value ?? <Dim>—</Dim>}</dd>
        </div>
      ))}
    </List>
  )
}

const List = styled.dl<{ $columns: 1 | 2 }>`
  display: grid;
  grid-template-columns: repeat(${({ $columns }) => $columns}, minmax(0, 1fr));
  gap: 0 32px;

  > div {
    display: grid;
    grid-template-columns: 88px minmax(0, 1fr);
    gap: 12px;
    padding: 7px 0;
    border-bottom: 1px solid ${color.line};
  }

  > div:last-child {
    border-bottom: 0;
  }

  dt {
    color: ${color.text2};
  }

  dd {
    min-width: 0;
    overflow-wrap: anywhere;
    ${font.numbers}
  }

  dd[data-kind='mono'] {
    font-family: ${font.family.mono};
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`
